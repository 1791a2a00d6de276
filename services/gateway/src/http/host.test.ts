import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, STREAM_PATH, type Route } from '@orrery/api';
import { openVenue, type Venue } from '../testing/venue.ts';
import { Hosts } from './host.ts';

const LISTED = 'https://orrery.example';

let unconfigured: Venue;
let listed: Venue;
let proxied: Venue;
beforeAll(async () => {
  unconfigured = await openVenue();
  listed = await openVenue({ origins: [LISTED], foreignOrigins: ['http://elsewhere.example:8080'] });
  proxied = await openVenue({ origins: [LISTED, 'http://127.0.0.1:0'], proxyHops: 1 });
});
afterAll(async () => {
  await Promise.all([unconfigured.close(), listed.close(), proxied.close()]);
});

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly field: string;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly venue?: Venue;
}

const PORT = /%PORT%/g;
const UPGRADE = [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
  'Connection: Upgrade',
] as const;

/** Sends these lines and nothing else; `%PORT%` in them is the port of the venue. */
function ask(lines: readonly string[], { method = 'GET', path = '/status', venue = unconfigured }: Asked = {}): Promise<Answer> {
  const { hostname, port } = new URL(venue.base);
  const isUpgrade = lines.includes(UPGRADE[0]);
  const text = [`${method} ${path} HTTP/1.1`, ...lines, ...(isUpgrade ? [] : ['Connection: close'])].join('\r\n').replace(PORT, port);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${text}\r\n\r\n`));
    let answer = '';
    const read = (): void => {
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
      const status = Number(head.split(' ')[1]);
      const { reason = '', field = '' } = status === 101 || !body.startsWith('{"code"') ? {} : (JSON.parse(body).data ?? {});
      resolve({ status, reason, field });
    };
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.startsWith('HTTP/1.1 101')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', read);
  });
}

const MALFORMED = [
  'a b',
  '[',
  ']',
  '[::1',
  '',
  'localhost:99999',
  'localhost:0',
  'localhost:x',
  'x@localhost',
  'http://localhost',
  '1.2.3.4.5',
  'a,b',
  'ä',
];

describe('a malformed Host is refused with 400, never 500', () => {
  const routes = Object.values<Route>(contract).map(({ method, path }) => ({ method, path }));
  const others = ['/', '/docs', '/docs/openapi.json', '/nowhere', '/pro/nowhere', '/rpc'].map((path) => ({ method: 'GET', path }));

  test.each([...routes, ...others])('at $method $path', async ({ method, path }) => {
    for (const host of ['a b', '[', '', 'localhost:99999'])
      expect(await ask([`Host: ${host}`], { method, path }), host).toEqual({ status: 400, reason: 'MalformedField', field: 'host' });
  });

  test.each(MALFORMED)('"%s", as a call, as an upgrade and by the proxy in front', async (host) => {
    const refused = { status: 400, reason: 'MalformedField' };
    expect(await ask([`Host: ${host}`])).toEqual({ ...refused, field: 'host' });
    expect(await ask([`Host: ${host}`, ...UPGRADE], { path: STREAM_PATH })).toEqual({ ...refused, field: 'host' });
    const forwarded = ['Host: 127.0.0.1:%PORT%', `X-Forwarded-Host: ${host}`];
    // A list of hosts has a last one.
    if (host.includes(',')) return;
    expect(await ask(forwarded, { venue: proxied })).toEqual({ ...refused, field: 'x-forwarded-host' });
    expect(await ask([...forwarded, ...UPGRADE], { path: STREAM_PATH, venue: proxied })).toEqual({ ...refused, field: 'x-forwarded-host' });
  });

  test('a missing one and two of them are refused too', async () => {
    for (const more of [[], UPGRADE]) {
      const path = more.length === 0 ? '/status' : STREAM_PATH;
      expect(await ask([...more], { path })).toEqual({ status: 400, reason: 'MissingField', field: 'host' });
      const two = ['Host: localhost:%PORT%', 'host: localhost:%PORT%'];
      expect(await ask([...two, ...more], { path })).toEqual({ status: 400, reason: 'RepeatedField', field: 'host' });
    }
  });
});

describe('a host that is not ours is refused, so that no message is signed for it', () => {
  const STRANGERS = [
    'evil.example',
    'evil.example:%PORT%',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'xlocalhost',
    '10.0.0.1',
    '[::2]',
    '0.0.0.0:%PORT%',
  ];
  const nonce = `/pro/p/auth/nonce?evmAddress=0x${'1'.repeat(40)}`;

  test.each(STRANGERS)('%s, whatever is listed, as a call and on the stream', async (host) => {
    for (const venue of [unconfigured, listed, proxied]) {
      const refused = { status: 421, reason: 'UnknownHost', field: '' };
      expect(await ask([`Host: ${host}`], { venue, path: nonce })).toEqual(refused);
      expect(await ask([`Host: ${host}`, ...UPGRADE], { venue, path: STREAM_PATH })).toEqual(refused);
      // Even of a page that claims to be there.
      expect(await ask([`Host: ${host}`, `Origin: http://${host}`], { venue, path: nonce })).toEqual(refused);
    }
  });

  test.each(STRANGERS)('%s as X-Forwarded-Host behind a proxy; without one the header is ignored', async (host) => {
    const lines = ['Host: 127.0.0.1:%PORT%', `X-Forwarded-Host: ${host}`];
    const refused = { status: 421, reason: 'UnknownHost', field: '' };
    expect(await ask(lines, { venue: proxied, path: nonce })).toEqual(refused);
    expect(await ask([...lines, ...UPGRADE], { venue: proxied, path: STREAM_PATH })).toEqual(refused);
    expect((await ask(lines, { path: nonce })).status).toBe(200);
    expect((await ask([...lines, ...UPGRADE], { path: STREAM_PATH })).status).toBe(101);
  });

  test.each(['localhost', 'LOCALHOST:%PORT%', 'a.localhost:1', '127.0.0.1:%PORT%', '127.9.9.9', '[::1]:%PORT%'])(
    '%s is this machine, and believed without configuration',
    async (host) => {
      expect((await ask([`Host: ${host}`], { path: nonce })).status).toBe(200);
      expect((await ask([`Host: ${host}`, ...UPGRADE], { path: STREAM_PATH })).status).toBe(101);
    },
  );

  test.each(['orrery.example', 'Orrery.Example:443', 'elsewhere.example:8080'])('%s is listed', async (host) => {
    expect((await ask([`Host: ${host}`], { venue: listed, path: nonce })).status).toBe(200);
    expect((await ask([`Host: ${host}`, ...UPGRADE], { venue: listed, path: STREAM_PATH })).status).toBe(101);
  });

  test.each(['orrery.example:80', 'orrery.example:8443', 'elsewhere.example'])('%s is not: its port is another', async (host) => {
    expect((await ask([`Host: ${host}`], { venue: listed, path: nonce })).status).toBe(421);
  });
});

test.each(['0.0.0.0', '::'])('where every address is listened on (%s), that is the host of none', (address) => {
  const hosts = new Hosts({ origins: [LISTED], proxyHops: 0 });
  hosts.listensAt({ address, port: 4321, family: 'IPv4' });
  const host = `${address.includes(':') ? `[${address}]` : address}:4321`;
  expect(() => hosts.check({ headers: { host }, rawHeaders: ['host', host] })).toThrow('this exchange is not served at this host');
});

describe('the origin by which a caller reached us', () => {
  const bound = { address: '10.1.2.3', port: 4321, family: 'IPv4' };
  const hosts = (proxyHops: number): Hosts => {
    const made = new Hosts({ origins: [LISTED, 'http://inner.example:0'], proxyHops });
    made.listensAt(bound);
    return made;
  };
  const of = (headers: Record<string, string>, proxyHops: number): string =>
    hosts(proxyHops).originOf({ headers, rawHeaders: Object.entries(headers).flat() });

  test('is the Host without proxies, and what the outermost trusted proxy reports behind them', () => {
    const forwarded = { 'x-forwarded-host': 'localhost, orrery.example', 'x-forwarded-proto': 'http,https' };
    expect(of({ host: 'localhost:8080', ...forwarded }, 0)).toBe('http://localhost:8080');
    expect(of({ host: 'localhost:8080', ...forwarded }, 1)).toBe(LISTED);
    expect(of({ host: 'localhost:8080', ...forwarded }, 2)).toBe('http://localhost');
    expect(of({ host: 'localhost:8080', ...forwarded }, 3)).toBe('http://localhost');
    expect(of({ host: 'orrery.example', 'x-forwarded-proto': 'javascript' }, 1)).toBe('http://orrery.example');
  });

  test('port 0 of a listed origin is the port that was taken, and the address that is listened on is ours', () => {
    expect(of({ host: 'inner.example:4321' }, 0)).toBe('http://inner.example:4321');
    expect(of({ host: '10.1.2.3:4321' }, 0)).toBe('http://10.1.2.3:4321');
    expect(() => of({ host: 'inner.example' }, 0)).toThrow('this exchange is not served at this host');
    expect(() => of({ host: '10.1.2.3' }, 0)).toThrow('this exchange is not served at this host');
  });
});
