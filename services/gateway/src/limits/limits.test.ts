import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS, type Limits } from './limits.ts';
import { Buckets } from './rates.ts';
import { eventually, openVenue, ROOMY, type CallOptions, type Venue } from '../testing/venue.ts';

let venue: Venue | undefined;
afterEach(async () => {
  await venue?.close();
  venue = undefined;
});

test('the numbers are the published ones', () => {
  expect(LIMITS.http).toEqual({
    bodyBytes: 32_768,
    batchBodyBytes: 65_536,
    rpcBodyBytes: 131_072,
    uploadBodyBytes: 5_242_880,
    uploadsAtOnce: 8,
    headerBytes: 16_384,
    urlBytes: 2_048,
    depth: 8,
    headersTimeoutMs: 5_000,
    requestTimeoutMs: 10_000,
    idleTimeoutMs: 15_000,
    checkIntervalMs: 1_000,
    socketsPerNetwork: 256,
    sockets: 8_192,
    requestsPerSocket: 1_000,
    minSeqWaitMs: 2_000,
    pastWaitMs: 10_000,
  });
  const perSecond = Object.fromEntries(
    Object.entries(LIMITS.rates.standard).map(([name, { count, perMs, burst, by }]) => [
      name,
      `${count}/${perMs / 1_000}s burst ${burst} by ${by}`,
    ]),
  );
  expect(perSecond).toEqual({
    public: '20/1s burst 60 by network',
    read: '20/1s burst 60 by account',
    order: '10/1s burst 50 by account',
    cancel: '20/1s burst 60 by account',
    nonce: '120/60s burst 120 by network',
    auth: '120/60s burst 120 by network',
    whitelist: '30/60s burst 30 by network',
    faucet: '10/60s burst 20 by network',
    transfer: '30/60s burst 30 by account',
    withdraw: '3/3600s burst 3 by account',
    manage: '30/60s burst 30 by account',
    upload: '10/60s burst 10 by account',
    sandbox: '10/60s burst 10 by account',
    otc: '60/60s burst 60 by account',
    rpc: '20/1s burst 100 by network',
    rawTransaction: '60/60s burst 60 by network',
  });
  expect(LIMITS.rates.standard.upload.perDay).toBe(10);
  const { order, withdraw, faucet, nonce, auth } = LIMITS.rates.standard;
  expect([order.perDay, withdraw.perDay, faucet.perDay]).toEqual([100_000, 10, 50]);
  expect([nonce.perWallet, auth.perWallet]).toEqual([10, 5]);
  expect(LIMITS.stream).toMatchObject({
    authenticateMs: 5_000,
    connectionsPerAccount: 10,
    connectionsPerNetwork: 100,
    connectionsPerNode: 5_000,
    topics: 64,
    messages: { count: 10, perMs: 1_000, burst: 20 },
    payloadBytes: 16_384,
    fragments: 16,
    bufferedChunks: 64,
    pingMs: 15_000,
    deadMs: 30_000,
    conflateAboveBytes: 1_048_576,
    closeAboveBytes: 4_194_304,
    closeBehindMs: 5_000,
  });
});

describe('buckets', () => {
  test('a bucket holds its burst, fills with time, and says when to retry', () => {
    let now = 0;
    const buckets = new Buckets(() => now);
    const rate = { count: 10, perMs: 1_000, burst: 50, by: 'account' } as const;
    for (let count = 0; count < 50; count += 1) buckets.take('order', 'alice', rate);
    expect(() => buckets.take('order', 'alice', rate)).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 1 }));
    expect(() => buckets.take('order', 'bob', rate)).not.toThrow();
    now += 100;
    expect(() => buckets.take('order', 'alice', rate)).not.toThrow();
    expect(() => buckets.take('order', 'alice', rate, 20)).toThrow(expect.objectContaining({ retryAfterSeconds: 2 }));
  });

  test('a clock that is set back takes nothing away', () => {
    let now = 1_000_000;
    const buckets = new Buckets(() => now);
    const rate = { count: 1, perMs: 1_000, burst: 3, by: 'network' } as const;
    buckets.take('order', 'alice', rate);
    now -= 500_000;
    expect(() => buckets.take('order', 'alice', rate, 2)).not.toThrow();
  });

  test('a table is bounded, and strangers who fill one evict nothing from another', () => {
    const buckets = new Buckets(() => 0);
    const rate = { count: 1, perMs: 3_600_000, burst: 3, by: 'network' } as const;
    buckets.take('withdraw', 1, rate, 3);
    for (let count = 0; count < 50_000; count += 1) buckets.take('public', `network ${count}`, rate);
    expect(buckets.size).toBeLessThan(33_000);
    expect(() => buckets.take('withdraw', 1, rate)).toThrow(expect.objectContaining({ status: 429 }));
  });
});

describe('over HTTP', () => {
  test('[C2] the sixty-first public call at once is 429 with Retry-After; another path is counted together', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const answers = await Promise.all(
      Array.from({ length: 70 }, async (_, index) => venue?.get(index % 2 === 0 ? '/pro/p/symbol/coins' : '/spot/v1/p/time')),
    );
    const refused = answers.filter((answer) => answer?.status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ code: 13_001, data: { reason: 'TooManyRequests' } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  test('F1: of 1,000 fresh accounts that claim from one address in a day 50 get to the faucet', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const statuses: number[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const fresh = await venue.newcomer(`fresh-${index}`);
      // Ten calls a minute: the bucket is never empty.
      venue.clock.now += 6_000;
      statuses.push((await venue.post('/faucet/api/claim', { as: fresh, body: {} })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.lastIndexOf(200)).toBe(49);
  });

  test('a spoofed X-Forwarded-For has no effect without proxies, and counts with them', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    for (let index = 0; index < 60; index += 1) await venue.get('/spot/v1/p/time', { headers: { 'x-forwarded-for': `10.0.0.${index}` } });
    expect((await venue.get('/spot/v1/p/time', { headers: { 'x-forwarded-for': '10.9.9.9' } })).status).toBe(429);
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates }, proxyHops: 1 });
    for (let index = 0; index < 70; index += 1) {
      expect((await venue.get('/spot/v1/p/time', { headers: { 'x-forwarded-for': `6.6.6.6, 10.0.0.${index}` } })).status).toBe(200);
    }
  });

  const ofNetwork = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

  test('300 addresses of one /64 are one caller; another network is not', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates }, proxyHops: 1 });
    const nonce = async (index: number, ip: string): Promise<number | undefined> => {
      const query = { evmAddress: `0x${index.toString(16).padStart(40, '0')}` };
      return (await venue?.get('/pro/p/auth/nonce', { ...ofNetwork(ip), query }))?.status;
    };
    const statuses = [];
    for (let index = 0; index < 300; index += 1) statuses.push(await nonce(index, `2001:db8:7:7::${(index + 1).toString(16)}`));
    expect(statuses).toEqual([...Array(120).fill(200), ...Array(180).fill(429)]);
    expect(await nonce(1, '2001:db8:7:8::1')).toBe(200);
    expect(await nonce(1, '::ffff:192.0.2.1')).toBe(200);
  });

  test('thirty people behind one address sign in within a minute, and one wallet has five attempts', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const verify = async (person: number): Promise<number | undefined> => {
      const message = `localhost wants you to sign in with your Ethereum account:\n0x${String(person).padStart(40, 'a')}\n`;
      const signed = { nonce: '0'.repeat(32), signature: `0x${'1'.repeat(130)}`, message };
      return (await venue?.post('/pro/p/auth/verify', { body: signed }))?.status;
    };
    const office = [];
    for (let person = 10; person < 40; person += 1)
      for (let signature = 0; signature < 3; signature += 1) office.push(await verify(person));
    expect(office).toEqual(Array(90).fill(200));
    const guesses = [];
    for (let guess = 0; guess < 7; guess += 1) guesses.push(await verify(99));
    expect(guesses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test('thirty people behind one address log in by name within a minute, and one name has five attempts', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const login = async (username: string): Promise<number | undefined> =>
      (await venue?.post('/pro/p/account/login/first', { body: { username, password: 'correct horse' } }))?.status;
    const office = [];
    for (let person = 10; person < 40; person += 1) office.push(await login(`person${person}@example.org`));
    expect(office).toEqual(Array(30).fill(office[0]));
    expect(office[0]).not.toBe(429);
    const guesses = [];
    for (let guess = 0; guess < 7; guess += 1) guesses.push(await login(guess % 2 === 0 ? 'alice@example.org' : 'Alice@Example.org'));
    expect(guesses.map((status) => status === 429)).toEqual([false, false, false, false, false, true, true]);
  });

  test('a call that is refused for its permission, its credentials or its fields is charged like one that is taken', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates }, proxyHops: 1 });
    const reader = venue.people.addKey(venue.alice, { permission: 'READ', endsAt: venue.clock.now + 1e9 });
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50000', totalAmount: '0.001' };
    const flood = async (options: CallOptions, price = order.price): Promise<readonly number[]> => {
      const statuses = [];
      for (let count = 0; count < 70; count += 1) {
        // No two are equal: an equal one would be a replay.
        const body = { ...options, body: { ...order, price, clientOrderId: `c${count}` } };
        statuses.push((await venue?.post('/spot/v1/u/trade/order/create', body))?.status ?? 0);
      }
      return statuses;
    };
    expect(await flood({ key: reader, ...ofNetwork('192.0.2.1') })).toEqual([...Array(60).fill(403), ...Array(10).fill(429)]);
    expect(await flood(ofNetwork('192.0.2.2'))).toEqual([...Array(60).fill(401), ...Array(10).fill(429)]);
    // A key for reading has used up nothing of what its owner may order.
    const mine = await flood({ as: venue.alice, ...ofNetwork('192.0.2.3') }, 'nothing');
    expect(mine).toEqual([...Array(50).fill(400), ...Array(20).fill(429)]);
  });

  test.each([
    ['a host that is not ours', 421, 'GET', '/pro/p/time', { headers: { 'x-forwarded-host': 'evil.example' } }],
    ['a host that is none', 400, 'GET', '/pro/p/time', { headers: { 'x-forwarded-host': 'a b' } }],
    ['a path that is not there', 404, 'GET', '/pro/p/nowhere', {}],
    ['a method that a path does not take', 405, 'POST', '/pro/p/time', { body: {} }],
    ['a body that cannot be read', 400, 'POST', '/pro/p/auth/verify', { body: [[[[[[[[[[[[]]]]]]]]]]]] }],
    ['a body of another type', 415, 'POST', '/pro/p/auth/verify', { body: {}, headers: { 'content-type': 'text/plain' } }],
    ['no body of a call to the chain', 400, 'POST', '/rpc', {}],
  ] as const)('what reaches no call is charged to its network: %s', async (_name, status, method, path, options: CallOptions) => {
    const roomy = LIMITS.rates.standard.public;
    const rates = { ...LIMITS.rates, standard: { ...LIMITS.rates.standard, rpc: roomy } };
    venue = await openVenue({ limits: { ...ROOMY, rates }, proxyHops: 1 });
    const flood = async (ip: string): Promise<readonly number[]> => {
      const statuses = [];
      const headers = { ...options.headers, ...ofNetwork(ip).headers };
      for (let count = 0; count < 65; count += 1) statuses.push((await venue?.call(method, path, { ...options, headers }))?.status ?? 0);
      return statuses;
    };
    // `fetch` makes a call that is answered by 421 once more, on another connection.
    const taken = status === 421 ? 30 : 60;
    expect(await flood('192.0.2.1')).toEqual([...Array(taken).fill(status), ...Array(65 - taken).fill(429)]);
    expect((await flood('192.0.2.2')).slice(0, taken)).toEqual(Array(taken).fill(status));
  });

  test('a flood of orders is stopped and never starves cancels', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const { alice } = venue;
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50000', totalAmount: '0.001' };
    const answers = [];
    for (let count = 0; count < 55; count += 1) answers.push(await venue.post('/spot/v1/u/trade/order/create', { as: alice, body: order }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(50).fill(200), ...Array(5).fill(429)]);
    expect((await venue.post('/spot/v1/u/trade/order/cancel', { as: alice, body: { orderId: answers[0]?.data } })).status).toBe(200);
    expect((await venue.post('/spot/v1/u/trade/order/cancel-all', { as: alice, body: {} })).status).toBe(200);
  });

  test('a batch counts as many as it holds', async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const orders = Array.from({ length: 20 }, () => ({
      symbol: 'BTC_USDC',
      direction: 'BUY',
      tradeType: 'LIMIT',
      price: '50000',
      totalAmount: '0.001',
    }));
    const call = async (): Promise<number | undefined> =>
      (await venue?.post('/spot/v1/u/trade/order/batch/create', { as: venue.alice, body: { orders } }))?.status;
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
  });

  test("the market-maker's tier is granted by its key and by nothing else", async () => {
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates } });
    const key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9, tier: 'marketMaker' });
    for (let count = 0; count < 120; count += 1) {
      venue.clock.now += 0;
      const { status } = await venue.get('/spot/v1/u/trade/order/list', { key, query: { page: String(count + 1) } });
      expect(status).toBe(200);
    }
  });
});

describe('sockets', () => {
  const raw = (text: string, end = false): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(venue?.base ?? '');
      const socket = connect(Number(port), hostname, () => (end ? socket.end(text) : socket.write(text)));
      let heard = '';
      socket.on('data', (data) => (heard += String(data)));
      socket.on('close', () => resolve(heard));
      socket.on('error', () => resolve(heard));
    });

  test('slow headers and slow bodies are closed with 408, and delay no other caller', async () => {
    venue = await openVenue({
      limits: { ...ROOMY, http: { ...ROOMY.http, headersTimeoutMs: 150, requestTimeoutMs: 300, checkIntervalMs: 50 } },
    });
    const slow = [
      ...Array.from({ length: 100 }, () => raw('GET /status HTTP/1.1\r\nHost: localhost\r\nX-Slow')),
      ...Array.from({ length: 100 }, () =>
        raw('POST /biz/check/agreement HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"'),
      ),
    ];
    expect((await venue.get('/status')).status).toBe(200);
    const answers = await Promise.all(slow);
    expect(answers).toHaveLength(200);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":11009/);
  });

  const SMALL: Limits = { ...ROOMY, http: { ...ROOMY.http, socketsPerNetwork: 50 } };

  /** A socket that sends `text` and then nothing. */
  const silent = (text: string): Promise<Socket> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(venue?.base ?? '');
      const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve(socket)));
      socket.on('error', () => undefined).resume();
    });

  test.each([
    ['headers', 'GET /status HTTP/1.1\r\nHost: localhost\r\nX-Slow'],
    ['bodies', 'POST /biz/check/agreement HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"'],
    ['silence after the connection', ''],
  ])('fifty slow sockets shut nobody out of their address: %s', async (_name, text) => {
    venue = await openVenue({ limits: SMALL });
    const slow = await Promise.all(Array.from({ length: 50 }, () => silent(text)));
    for (let call = 0; call < 20; call += 1) expect((await venue.get('/status', { headers: { connection: 'close' } })).status).toBe(200);
    // One was cut for the first call; each of the others took the room of the one before it.
    expect(slow.filter((socket) => socket.closed)).toHaveLength(1);
    for (const socket of slow) socket.destroy();
  });

  test('no more sockets from one network than there is room for, and the oldest slow ones are cut first', async () => {
    venue = await openVenue({ limits: SMALL });
    const sockets: Socket[] = [];
    for (let count = 0; count < 60; count += 1) sockets.push(await silent('GET'));
    await eventually(() => (sockets.filter((socket) => socket.closed).length >= 10 ? true : undefined), 'ten to be cut');
    expect(sockets.map((socket) => socket.closed)).toEqual([...Array(10).fill(true), ...Array(50).fill(false)]);
    for (const socket of sockets) socket.destroy();
  });

  test('a socket at work is never cut: when all are, the newcomer is turned away', async () => {
    const gate = Promise.withResolvers<void>();
    let working = 0;
    const handle = (): Promise<null> => {
      working += 1;
      return gate.promise.then(() => null);
    };
    venue = await openVenue({ limits: SMALL, rpc: { handle } });
    const request =
      'POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';
    const answers = Promise.all(Array.from({ length: 50 }, () => raw(request)));
    await eventually(() => (working === 50 ? true : undefined), 'fifty calls at work');
    expect(await raw('GET /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toBe('');
    gate.resolve();
    for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1.1 200/);
  });

  test('raw transactions are counted apart from the reads of the chain, in batches too, by network', async () => {
    const handled: unknown[] = [];
    venue = await openVenue({
      limits: { ...ROOMY, rates: LIMITS.rates },
      rpc: { handle: (body) => Promise.resolve(void handled.push(body)) },
    });
    const rpc = async (body: object): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${venue!.base}/rpc`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const raw = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x'] };
    for (let count = 0; count < 3; count += 1) expect(await rpc(Array.from({ length: 20 }, () => raw))).toBe(200);
    expect(await rpc(raw)).toBe(429);
    expect(handled).toHaveLength(3);
    expect(await rpc({ ...raw, method: 'eth_chainId', params: [] })).toBe(200);
  });

  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400],
    ['an unknown method', 'BREW /status HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['TRACE', 'TRACE /status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 405],
    ['two lengths', 'POST /biz/check/agreement HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    [
      'length and chunks',
      'POST /biz/check/agreement HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['large headers', `GET /status HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(17 * 1_024)}\r\n\r\n`, 431],
    ['a long address', `GET /status?${'x'.repeat(2_048)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 414],
    ['a bad address', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 404],
  ])('%s is answered in the envelope', async (_name, text, status) => {
    venue = await openVenue();
    expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*"code":1\\d{4}`));
  });

  test.each([
    ['more than 32 KiB', '/biz/check/agreement', `{"a":"${'x'.repeat(33_000)}"}`, 413],
    ['nine levels', '/biz/check/agreement', '{"a":[[[[[[[[1]]]]]]]]}', 400],
    ['ten thousand brackets', '/biz/check/agreement', '['.repeat(10_000), 400],
    ['__proto__', '/biz/check/agreement', '{"__proto__":{"admin":true}}', 400],
    ['a control character', '/biz/check/agreement', '{"walletAddress":"\\u0000"}', 400],
    ['a lone surrogate', '/biz/check/agreement', '{"walletAddress":"\\ud800"}', 400],
    ['text that is not in its composed form', '/biz/check/agreement', '{"walletAddress":"e\\u0301"}', 400],
    ['a name given twice', '/biz/check/agreement', `{"walletAddress":"x","walletAddress":"0x${'0'.repeat(40)}"}`, 400],
    ['bytes that are not UTF-8', '/biz/check/agreement', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['UTF-16', '/biz/check/agreement', Buffer.from('{}', 'utf16le'), 400],
  ])('a body of %s is refused', async (_name, path, body, status) => {
    venue = await openVenue();
    const response = await fetch(`${venue.base}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(status);
  });
});
