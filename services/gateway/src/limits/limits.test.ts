import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { Buckets } from './rates.ts';
import { eventually, openVenue, ROOMY, type Venue } from '../testing/venue.ts';

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
    headerBytes: 16_384,
    urlBytes: 2_048,
    depth: 8,
    headersTimeoutMs: 5_000,
    requestTimeoutMs: 10_000,
    idleTimeoutMs: 15_000,
    checkIntervalMs: 1_000,
    socketsPerIp: 50,
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
    public: '20/1s burst 60 by ip',
    read: '20/1s burst 60 by account',
    order: '10/1s burst 50 by account',
    cancel: '20/1s burst 60 by account',
    nonce: '10/60s burst 10 by ip',
    auth: '5/60s burst 5 by ip',
    whitelist: '30/60s burst 30 by ip',
    faucet: '10/60s burst 20 by ip',
    transfer: '30/60s burst 30 by account',
    withdraw: '3/3600s burst 3 by account',
    manage: '30/60s burst 30 by account',
    rpc: '20/1s burst 100 by ip',
  });
  const { order, withdraw, faucet } = LIMITS.rates.standard;
  expect([order.perDay, withdraw.perDay, faucet.perDay]).toEqual([100_000, 10, 50]);
  expect(LIMITS.stream).toMatchObject({
    authenticateMs: 5_000,
    connectionsPerAccount: 10,
    connectionsPerIp: 20,
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
    for (let count = 0; count < 50; count += 1) buckets.take('alice', rate);
    expect(() => buckets.take('alice', rate)).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 1 }));
    expect(() => buckets.take('bob', rate)).not.toThrow();
    now += 100;
    expect(() => buckets.take('alice', rate)).not.toThrow();
    expect(() => buckets.take('alice', rate, 20)).toThrow(expect.objectContaining({ retryAfterSeconds: 2 }));
  });

  test('a daily limit ends with the day', () => {
    let now = 86_400_000 * 100 + 1;
    const buckets = new Buckets(() => now);
    const rate = { count: 3, perMs: 1, burst: 3, by: 'account', perDay: 10 } as const;
    for (let count = 0; count < 10; count += 1, now += 10) buckets.take('alice', rate);
    expect(() => buckets.take('alice', rate)).toThrow(expect.objectContaining({ status: 429 }));
    now += 86_400_000;
    expect(() => buckets.take('alice', rate)).not.toThrow();
  });

  test('a clock that is set back takes nothing away', () => {
    let now = 1_000_000;
    const buckets = new Buckets(() => now);
    const rate = { count: 1, perMs: 1_000, burst: 3, by: 'ip' } as const;
    buckets.take('alice', rate);
    now -= 500_000;
    expect(() => buckets.take('alice', rate, 2)).not.toThrow();
  });

  test('unused buckets are evicted', () => {
    let now = 0;
    const buckets = new Buckets(() => now);
    const rate = { count: 1, perMs: 1, burst: 3, by: 'ip' } as const;
    for (let count = 0; count < 50_000; count += 1) {
      now += 1_000;
      buckets.take(`address ${count}`, rate);
    }
    expect(buckets.size).toBeLessThan(25_000);
  });
});

describe('over HTTP', () => {
  test('C2: the sixty-first public call at once is 429 with Retry-After; another path is counted together', async () => {
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
      ...Array.from({ length: 100 }, () => raw('GET /status HTTP/1.1\r\nHost: x\r\nX-Slow')),
      ...Array.from({ length: 100 }, () =>
        raw('POST /biz/check/agreement HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"'),
      ),
    ];
    expect((await venue.get('/status')).status).toBe(200);
    const answers = await Promise.all(slow);
    expect(answers).toHaveLength(200);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":11009/);
  });

  test('no more sockets from one address than fifty', async () => {
    venue = await openVenue({ limits: { ...ROOMY, http: { ...ROOMY.http, socketsPerIp: 50 } } });
    const { hostname, port } = new URL(venue.base);
    const sockets = Array.from({ length: 60 }, () => connect(Number(port), hostname));
    let closed = 0;
    for (const socket of sockets)
      socket
        .on('close', () => (closed += 1))
        .on('error', () => undefined)
        .resume();
    await eventually(() => (closed >= 10 ? true : undefined), 'ten to be turned away');
    expect(closed).toBe(10);
    for (const socket of sockets) socket.destroy();
  });

  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400],
    ['an unknown method', 'BREW /status HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['TRACE', 'TRACE /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['two lengths', 'POST /biz/check/agreement HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    [
      'length and chunks',
      'POST /biz/check/agreement HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['large headers', `GET /status HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17 * 1_024)}\r\n\r\n`, 431],
    ['a long address', `GET /status?${'x'.repeat(2_048)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414],
    ['a bad address', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
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
