import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { contract, isOperatorPath, type Route } from '@orrery/api';
import { openVenue, type Venue } from '../testing/venue.ts';

const FRIEND = 'https://app.orrery.example';
const STRANGER = 'https://evil.example';
const CANCEL_ALL = contract.cancelAllOrders.path;
const CONSOLE = Object.values<Route>(contract).filter(({ path }) => isOperatorPath(path));

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({ foreignOrigins: [FRIEND] });
});
afterAll(() => venue.close());

const preflight = (path: string, origin: string, base = venue.base) =>
  fetch(`${base}${path}`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });

const corsOf = ({ headers }: { headers: Headers }) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

test('[C7] a page of a listed origin may call with its cookies, and read answers and refusals', async () => {
  const call = (body: unknown) => venue.post(CANCEL_ALL, { as: venue.alice, body, headers: { origin: FRIEND } });
  for (const [body, status] of [
    [{}, 200],
    [{ symbol: 7 }, 400],
  ] as const) {
    const { headers, ...answer } = await call(body);
    expect(answer.status).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe(FRIEND);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-expose-headers')).toBe('x-orrery-seq, x-orrery-stale-since, x-request-id, retry-after, date');
    expect(headers.get('vary')).toBe('origin');
  }
});

test('[C7] a preflight lists what its browser may send', async () => {
  const answer = await preflight(`${CANCEL_ALL}?symbol=BTC_USDC`, FRIEND);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe(FRIEND);
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
  for (const name of ['authorization', 'content-type', 'x-orrery-request', 'x-orrery-account', 'x-signature'])
    expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain(name);
  expect(await answer.text()).toBe('');
});

test('[C7] a page of another origin gets no CORS headers, and its preflight is refused by name', async () => {
  const answer = await preflight(CANCEL_ALL, STRANGER);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: 12_010, data: { reason: 'ForeignOrigin' } });
  expect(corsOf(answer)).toEqual([]);
  for (const origin of [STRANGER, 'null', `${FRIEND}.evil.example`, 'http://app.orrery.example', `${FRIEND}:444`]) {
    const call = await venue.post(CANCEL_ALL, { as: venue.alice, body: {}, headers: { origin } });
    expect(call).toMatchObject({ status: 403, code: 12_010 });
    expect(corsOf(call)).toEqual([]);
    expect(corsOf(await venue.get(contract.coins.path, { headers: { origin } }))).toEqual([]);
  }
});

test('[C7] no origin is listed by default; our own page needs no listing', async () => {
  const plain = await openVenue();
  expect((await preflight(CANCEL_ALL, FRIEND, plain.base)).status).toBe(403);
  const own = await plain.post(CANCEL_ALL, { as: plain.alice, body: {}, headers: { origin: plain.base } });
  expect(own.status).toBe(200);
  expect(corsOf(own)).toEqual([]);
  await plain.close();
});

test('[C7] the console is for our own pages only', async () => {
  expect(CONSOLE.length).toBeGreaterThan(0);
  for (const { method, path } of CONSOLE) {
    const asked = await preflight(path, FRIEND);
    expect([path, asked.status, corsOf(asked)]).toEqual([path, 403, []]);
    const called = await venue.call(method, path, { headers: { origin: FRIEND, 'x-orrery-request': '1' } });
    expect([path, corsOf(called)]).toEqual([path, []]);
    if (method !== 'GET') expect([path, called.status, called.code]).toEqual([path, 403, 12_010]);
  }
});

test('[C7] its stream is opened, a stranger is not', async () => {
  const open = (origin: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${venue.base}/spot/v1/ws/socket`, { origin });
      socket.on('open', () => {
        socket.close();
        resolve('open');
      });
      socket.on('error', (error) => resolve(error.message));
    });
  expect(await open(FRIEND)).toBe('open');
  expect(await open(STRANGER)).toContain('403');
});

test('a call with a wrong method is 405, and names the right one', async () => {
  const methods = new Map<string, Set<string>>();
  for (const { method, path, aliases = [] } of Object.values<Route>(contract))
    for (const each of [path, ...aliases]) methods.set(each, (methods.get(each) ?? new Set()).add(method));
  for (const [path, right] of methods) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      if (right.has(method)) continue;
      // A body that no call takes must not be what is complained of.
      const body = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? { body: 'x', headers: { 'content-type': 'text/plain' } } : {};
      const answer = await fetch(`${venue.base}${path}?a=1`, { method, ...body });
      expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 405, [...right].join(', ')]);
      if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ code: 14_002, data: { reason: 'MethodNotAllowed' } });
    }
  }
});

test.each([FRIEND, STRANGER, 'null', 'http://localhost:3000'])(
  '/rpc answers a page of %s as public nodes do, without cookies',
  async (origin) => {
    const asked = await preflight('/rpc', origin);
    expect([asked.status, asked.headers.get('access-control-allow-methods'), asked.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'POST',
      'content-type',
    ]);
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
    const answer = await venue.post('/rpc', { body: call, headers: { origin } });
    const refused = await venue.post('/rpc', { body: 'x'.repeat(2_000_000), headers: { origin } });
    expect([answer.status, refused.status]).toEqual([200, 413]);
    for (const { headers } of [asked, answer, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  },
);
