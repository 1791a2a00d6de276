import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { contract } from '@orrery/api';
import { afterEach, expect, test } from 'vitest';
import { openVenue, type Venue } from '../testing/venue.ts';

interface Line {
  readonly log?: string;
  readonly requestId: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number | null;
  readonly account: number | null;
  readonly address: string | null;
}

let venue: Venue | undefined;

afterEach(() => venue?.close());

async function openLogged(
  accessLog: 'off' | 'on' | 'whole',
  level = 'warn',
): Promise<{ venue: Venue; text: () => string; lines: () => readonly Line[] }> {
  const written: string[] = [];
  const logger = pino({ level, base: null }, { write: (line: string) => void written.push(line) });
  venue = await openVenue({ accessLog, logger, proxyHops: 1, origins: ['http://127.0.0.1:0'] });
  return { venue, text: () => written.join(''), lines: () => written.map((line) => JSON.parse(line) as Line) };
}

const FROM = { 'x-forwarded-for': '203.0.113.77' };

test('an answered call is one line: route, status, size, account and the neighbourhood of its address, under the id that its answer has', async () => {
  const { venue: open, lines } = await openLogged('on');
  const { headers, text } = await open.get(contract.balances.path, { as: open.alice, headers: FROM });
  const stranger = await open.get(contract.balances.path, { headers: FROM });
  await expect.poll(() => lines().length).toBe(2);
  expect(lines().map(({ ms: _ms, ...line }) => line)).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      log: 'access',
      requestId: headers.get('x-request-id'),
      method: 'GET',
      route: contract.balances.path,
      status: 200,
      bytes: text.length,
      account: open.alice.account,
      via: expect.any(String),
      address: '203.0.113.0/24',
    },
    expect.objectContaining({ requestId: stranger.headers.get('x-request-id'), status: 401, account: null }),
  ]);
  expect(JSON.parse(stranger.text)).toMatchObject({ data: { requestId: stranger.headers.get('x-request-id') } });
});

test('the whole address is written where that is wanted, and nothing where nothing is', async () => {
  const whole = await openLogged('whole', 'silent');
  await whole.venue.get('/status', { headers: FROM });
  await expect.poll(() => whole.lines()).toEqual([expect.objectContaining({ route: '/status', address: '203.0.113.77' })]);
  await whole.venue.close();
  const off = await openLogged('off');
  await off.venue.get('/status');
  await off.venue.get('/nowhere');
  expect(off.text()).toBe('');
});

const SECRET = 'canary0123456789';

/** Sends bytes as they are, which no client would. */
async function sendRaw(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.end(text);
  await once(socket, 'close');
  return answer;
}

test('neither what is secret nor what would look like another line is written', async () => {
  const { venue: open, text, lines } = await openLogged('whole');
  const host = new URL(open.base).host;
  const forged = `"}\\n{"level":60,"msg":"${SECRET}"`;
  await open.get(`/status?token=${SECRET}&signature=${SECRET}`, { headers: FROM });
  await open.get(`/${SECRET}`, {
    headers: { ...FROM, authorization: `Bearer ${SECRET}`, cookie: `__Host-refresh=${SECRET}`, 'x-request-id': SECRET },
  });
  await open.post(contract.createOrder.path, { body: { message: SECRET, signature: SECRET, password: SECRET }, headers: FROM });
  await open.get(`/%0a%0d${encodeURIComponent(forged)}`, {
    headers: { ...FROM, 'user-agent': forged, referer: `https://elsewhere.example/?${SECRET}` },
  });
  await sendRaw(
    open.base,
    `GET /${SECRET} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${SECRET}\\n{"level":60}\r\nconnection: close\r\n\r\n`,
  );
  await expect.poll(() => lines().length).toBe(5);
  expect(text()).not.toContain(SECRET);
  expect(text().split('\n')).toHaveLength(6);
  expect(lines().map(({ log, route }) => [log, route])).toEqual([
    ['access', '/status'],
    ['access', null],
    ['access', contract.createOrder.path],
    ['access', null],
    ['access', null],
  ]);
});

test('a path that no router can read is refused under an id too', async () => {
  const { venue: open } = await openLogged('off');
  const answer = await sendRaw(open.base, `GET /%zz HTTP/1.1\r\nhost: ${new URL(open.base).host}\r\nconnection: close\r\n\r\n`);
  const id = /^x-request-id: (\S+)\r$/im.exec(answer)?.[1];
  expect(answer).toContain(`"requestId":"${String(id)}"`);
});
