import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DepthLevel, type Level } from '@orrery/api';
import { LIMITS } from '../limits/limits.ts';
import { Ear, type EarOptions } from '../testing/ear.ts';
import { Replica } from '../testing/replica.ts';
import { signedHeaders, signedRequestHeaders } from '../testing/people.ts';
import { spotCalls } from '../testing/spot-calls.ts';
import { eventually, openVenue, ROOMY, type Venue } from '../testing/venue.ts';

let venue: Venue;
beforeEach(async () => {
  venue = await openVenue();
});
afterEach(async () => {
  Ear.closeAll();
  await venue.close();
});

const { ticketOf, place } = spotCalls(() => venue);
const listen = (options?: EarOptions): Promise<Ear> => Ear.open(venue.base, options);

describe('public streams', () => {
  test('[S4] O9: depth, sent whole and then level by level, is the book, proven by numbers and checksums', async () => {
    await place(venue.alice, 'BUY', '100000');
    const ear = await listen();
    ear.say({ sub: 'subSymbol', symbol: 'BTC_USDC' });
    const replica = new Replica();
    replica.whole((await ear.next('qAllDepth')).data as never);
    expect(ear.texts).toEqual(['succeed']);
    for (let step = 1; step <= 20; step += 1) {
      await place(venue.alice, 'BUY', String(100_000 - step));
      await place(venue.alice, 'SELL', String(100_100 + step));
    }
    await place(venue.bob, 'SELL', '99995', '0.03');
    const whole = await venue.get('/spot/v1/p/quotation/depth', { query: { symbol: 'BTC_USDC', level: '100' } });
    const target = await eventually(async () => {
      const { id } = (await venue.get('/pro/p/quotation/depth', { query: { symbol: 'BTC_USDC' } })).data as { id: number };
      const last = ear.of('qDepth').at(-1)?.data as DepthLevel | undefined;
      return last !== undefined && last.id === id && id >= 38 ? id : undefined;
    }, 'the last level');
    for (const message of ear.of('qDepth')) replica.level(message.data as DepthLevel);
    expect(replica.id).toBe(target);
    expect(replica.proofs).toBeGreaterThan(0);
    const { c, b } = whole.data as { c: number; b: Level[] };
    expect(replica.checksum()).toBe(c);
    expect(b[0]).toEqual(['99997', '0.01']);
    expect(ear.of('qDeal').map(({ data }) => data)).toMatchObject([
      { p: '100000', a: '0.01', m: 2 },
      { p: '99999', m: 2 },
      { p: '99998', m: 2 },
    ]);
  });

  test('[S4] candles, statistics and the outside price arrive under their names', async () => {
    const ear = await listen();
    for (const message of [
      { sub: 'subKline', symbol: 'BTC_USDC', type: '1m' },
      { sub: 'subStats' },
      { sub: 'subIndex', symbol: 'BTC_USDC' },
    ])
      ear.say(message);
    await eventually(() => (ear.texts.length === 3 ? true : undefined), 'three acknowledgements');
    const market = 1 as never;
    await venue.heart.submit({ type: 'SetIndexPrice', market, price: 1_000_500 as never });
    await place(venue.alice, 'BUY', '100000');
    await place(venue.bob, 'SELL', '100000');
    expect((await ear.next('qKLine')).data).toMatchObject({ s: 'BTC_USDC', i: '1m', o: '100000', c: '100000', a: '0.01', v: '1000' });
    expect((await ear.next('qStats', ({ data }) => (data as { c: string }).c === '100000')).data).toMatchObject({
      s: 'BTC_USDC',
      i: '100050',
    });
    expect((await ear.next('qIndex', ({ data }) => (data as { p: string }).p === '100050')).data).toMatchObject({ s: 'BTC_USDC' });
  });

  test('a candle is sent as final once its interval is over, also where nothing was traded in it', async () => {
    const ear = await listen();
    ear.say({ sub: 'subKline', symbol: 'BTC_USDC', type: '1m' });
    await eventually(() => (ear.texts.length === 1 ? true : undefined), 'the acknowledgement');
    await place(venue.alice, 'BUY', '100000');
    await place(venue.bob, 'SELL', '100000');
    const open = (await ear.next('qKLine', ({ data }) => Number((data as { a: string }).a) > 0)).data as {
      t: number;
      closed: boolean;
      a: string;
    };
    expect(open.closed).toBe(false);
    venue.clock.now += 60_000;
    const isFinal = ({ data }: { data?: unknown }): boolean => (data as { closed: boolean }).closed;
    expect((await ear.next('qKLine', isFinal)).data).toEqual({ ...open, closed: true });
    venue.clock.now += 60_000;
    expect((await ear.next('qKLine', (one) => isFinal(one) && (one.data as { t: number }).t === open.t + 60_000)).data).toMatchObject({
      o: '100000',
      c: '100000',
      a: '0',
      closed: true,
    });
    expect(ear.of('qKLine').filter(isFinal)).toHaveLength(2);
  });

  test('ping is answered by pong, and an ended subscription sends nothing more', async () => {
    const ear = await listen();
    ear.say('ping');
    await eventually(() => (ear.texts.includes('pong') ? true : undefined), 'pong');
    ear.say({ sub: 'subIndex', symbol: 'BTC_USDC' });
    await ear.next('qIndex');
    ear.say({ unsub: 'subIndex', symbol: 'BTC_USDC' });
    await eventually(() => (ear.texts.filter((text) => text === 'succeed').length === 2 ? true : undefined), 'the end');
    const before = ear.heard.length;
    await venue.heart.submit({ type: 'SetIndexPrice', market: 1 as never, price: 1_000_600 as never });
    ear.say('ping');
    await eventually(() => (ear.texts.filter((text) => text === 'pong').length === 2 ? true : undefined), 'pong');
    expect(ear.heard).toHaveLength(before);
  });

  test.each([
    ['{"sub":"subSymbol"', 'MalformedBody'],
    [{ sub: 'subSymbol' }, 'MissingField'],
    [{ sub: 'subSymbol', symbol: 'NO_SUCH' }, 'UnknownMarket'],
    [{ sub: 'subSymbol', symbol: 'BTC_USDC', more: 1 }, 'UnknownField'],
    [{ sub: 'subNothing' }, 'MalformedField'],
    [{ sub: 'subKline', symbol: 'BTC_USDC', type: '2m' }, 'MalformedField'],
    [{ sub: 'subUser', token: 'not-a-ticket-of-ours' }, 'NotSignedIn'],
    ['[1]', 'MissingField'],
    ['"text"', 'MalformedBody'],
    ['{"__proto__":1}', 'UnknownField'],
  ])('a message that can not be taken is refused by name: %j', async (message, reason) => {
    const ear = await listen();
    ear.say(message);
    expect((await ear.next('error')).data).toMatchObject({ reason });
  });
});

describe('orders over the stream', () => {
  test('an order that is sent with the login, in one go, is that of who logged in', async () => {
    const ear = await listen();
    const params = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '90000', totalAmount: '0.01' };
    const login = { op: 'login', id: 1, params: { token: await ticketOf(venue.alice) } };
    for (const message of [login, { op: 'order.create', id: 2, params }]) ear.say(message);
    await ear.next('reply', ({ id }) => id === 2);
    expect(ear.of('reply').map(({ id, code }) => [id, code])).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  test('[S2] log in by key, create, amend, cancel, batches, each answered under its id', async () => {
    const ear = await listen();
    ear.say({
      op: 'order.create',
      id: 1,
      params: { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' },
    });
    expect((await ear.next('reply', ({ id }) => id === 1)).code).toBe(12_001);
    const key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9 });
    const headers = signedHeaders(key, [], venue.clock.now);
    ear.say({
      op: 'loginKey',
      id: 2,
      params: {
        accessKey: key.accessKey,
        timestamp: venue.clock.now,
        nonce: headers['x-request-nonce'],
        signature: headers['x-signature'],
      },
    });
    expect(await ear.next('reply', ({ id }) => id === 2)).toMatchObject({ code: 0, seq: 0, data: null });
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' };
    ear.say({ op: 'order.create', id: 3, params: order });
    const created = await ear.next('reply', ({ id }) => id === 3);
    expect(created.code).toBe(0);
    ear.say({ op: 'order.update', id: 4, params: { orderId: created.data, price: '99000' } });
    const amended = await ear.next('reply', ({ id }) => id === 4);
    ear.say({ op: 'order.cancel', id: 5, params: { orderId: amended.data } });
    expect(await ear.next('reply', ({ id }) => id === 5)).toMatchObject({ code: 0, data: amended.data });
    ear.say({ op: 'order.batchCreate', id: 6, params: { orders: [order, { ...order, price: '1' }, { ...order, price: '99999.99' }] } });
    const reply = await ear.next('reply', ({ id }) => id === 6);
    expect(reply).toMatchObject({ code: 11_020, msg: '2 of 3 items were refused: see the code of each' });
    const batch = reply.data as { code: number; data: string | null }[];
    expect(batch.map(({ code }) => code)).toEqual([0, 1004, 11_002]);
    ear.say({ op: 'order.batchCancel', id: 7, params: { orderIds: [batch[0]?.data] } });
    expect((await ear.next('reply', ({ id }) => id === 7)).data).toEqual([{ code: 0, msg: 'success', data: batch[0]?.data }]);
    ear.say({ op: 'order.create', id: 8, params: order });
    ear.say({ op: 'order.cancelAll', id: 9, params: {} });
    expect((await ear.next('reply', ({ id }) => id === 9)).data).toHaveLength(1);
  });

  test('a key made without legacy signing logs in by version 2, and neither by the legacy scheme nor by a ticket that it got with it', async () => {
    const key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9, legacySigning: false });
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' };
    const ear = await listen();
    const codeOf = async (id: number, op: string, params: object): Promise<number | undefined> => {
      ear.say({ op, id, params });
      return (await ear.next('reply', (reply) => reply.id === id)).code;
    };
    const login = (headers: Record<string, string>, more = {}) => ({
      accessKey: key.accessKey,
      timestamp: venue.clock.now,
      nonce: headers['x-request-nonce'],
      signature: headers['x-signature'],
      ...more,
    });
    expect(await codeOf(1, 'loginKey', login(signedHeaders(key, [], venue.clock.now)))).toBe(12_015);
    // A legacy signature is used up whatever came of it, and a read of the same millisecond without parameters has the same one.
    venue.clock.now += 1;
    const ticket = (await venue.get('/spot/v1/u/ws/token', { key })).data;
    expect(await codeOf(2, 'login', { token: ticket })).toBe(0);
    expect(await codeOf(3, 'order.create', order)).toBe(12_009);
    const headers = signedRequestHeaders(key, { method: 'GET', url: '/spot/v1/ws/socket', timestamp: venue.clock.now });
    expect(await codeOf(4, 'loginKey', login(headers))).toBe(12_004);
    expect(await codeOf(5, 'loginKey', login(headers, { version: 2 }))).toBe(0);
    expect(await codeOf(6, 'order.create', order)).toBe(0);
  });

  test('a key for reading gives no orders, and an ended session none either', async () => {
    const reader = venue.people.addKey(venue.alice, { permission: 'READ', endsAt: venue.clock.now + 1e9 });
    const ticket = (await venue.get('/spot/v1/u/ws/token', { key: reader })).data;
    const ear = await listen();
    ear.say({ op: 'login', id: 1, params: { token: ticket } });
    await ear.next('reply', ({ id }) => id === 1);
    ear.say({ op: 'order.cancelAll', id: 2, params: {} });
    expect((await ear.next('reply', ({ id }) => id === 2)).code).toBe(12_009);
    const other = await listen();
    other.say({ op: 'login', id: 1, params: { token: await ticketOf(venue.bob) } });
    await other.next('reply', ({ id }) => id === 1);
    venue.clock.now += 6 * 3_600_000;
    other.say({ op: 'order.cancelAll', id: 2, params: {} });
    expect(await eventually(() => other.closed ?? other.heard.find(({ id }) => id === 2)?.code, 'a refusal or the end')).toSatisfy(
      (code) => code === 12_002 || code === 1008,
    );
  });
});

describe('limits of the stream', () => {
  test('a foreign Origin is turned away with 403, ours and none are let in', async () => {
    await expect(listen({ origin: 'https://evil.example' })).rejects.toThrow('HTTP 403');
    await expect(listen({ origin: venue.base })).resolves.toBeInstanceOf(Ear);
    await expect(listen()).resolves.toBeInstanceOf(Ear);
  });

  test('too many messages, too large ones and binary ones end the connection', async () => {
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, stream: { ...ROOMY.stream, messages: LIMITS.stream.messages } } });
    const [chatty, large, binary] = [await listen(), await listen(), await listen()];
    for (let count = 0; count < 21; count += 1) chatty.say('ping');
    large.say(`{"sub":"${'x'.repeat(16 * 1024)}"}`);
    binary.socket.send(Buffer.from([1, 2, 3]));
    expect(await eventually(() => chatty.closed, 'the end')).toBe(1008);
    expect(await eventually(() => large.closed, 'the end')).toBe(1009);
    expect(await eventually(() => binary.closed, 'the end')).toBe(1008);
  });

  test('a logged-in connection is closed after too many malformed or excess messages', async () => {
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates, stream: { ...ROOMY.stream, messages: LIMITS.stream.messages } } });
    const floods = [
      '{"op":"order.',
      '{"op":"order.nothing","id":1,"params":{}}',
      '{"op":"order.create","id":1,"params":{}}',
      '{"op":"order.cancel","id":1,"params":{"orderId":"1"}}',
    ];
    for (const flood of floods) {
      const ear = await listen();
      ear.say({ op: 'login', id: 1, params: { token: await ticketOf(venue.alice) } });
      await ear.next('reply');
      for (let count = 0; count < 200; count += 1) ear.say(flood);
      expect(await eventually(() => ear.closed, `the end of ${flood}`)).toBe(1008);
    }
  });

  test('a flood of orders that the permission refuses is charged, and closes the connection', async () => {
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, rates: LIMITS.rates, stream: { ...ROOMY.stream, messages: LIMITS.stream.messages } } });
    const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50000', totalAmount: '0.001' };
    const reader = venue.people.addKey(venue.alice, { permission: 'READ', endsAt: venue.clock.now + 1e9 });
    const ear = await listen();
    ear.say({ op: 'login', id: 1, params: { token: (await venue.get('/spot/v1/u/ws/token', { key: reader })).data } });
    await ear.next('reply');
    for (let count = 0; count < 1_000; count += 1) ear.say({ op: 'order.create', id: 2, params: order });
    expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
    const refused = ear.of('reply').filter(({ code }) => code === 12_009);
    expect(refused.length).toBeLessThan(LIMITS.stream.messages.burst);
    // The owner's orders are not charged for it.
    expect((await venue.post('/spot/v1/u/trade/order/create', { as: venue.alice, body: order })).status).toBe(200);
  });

  test('a flood of orders of a session that has ended is charged, and closes the connection', async () => {
    await venue.close();
    const limits = {
      ...ROOMY,
      rates: LIMITS.rates,
      stream: { ...ROOMY.stream, messages: LIMITS.stream.messages, statsIntervalMs: 60_000 },
    };
    venue = await openVenue({ limits });
    const ear = await listen();
    ear.say({ op: 'login', id: 1, params: { token: await ticketOf(venue.alice) } });
    await ear.next('reply');
    venue.clock.now += 6 * 3_600_000;
    for (let count = 0; count < 200; count += 1) ear.say({ op: 'order.cancel', id: 2, params: { orderId: '1' } });
    expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
  });

  test('more connections than an address may have, and more than an account may have, are turned away', async () => {
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, stream: { ...ROOMY.stream, connectionsPerNetwork: 3, connectionsPerAccount: 2 } } });
    const ears = [await listen(), await listen(), await listen()];
    await expect(listen()).rejects.toThrow('HTTP 429');
    for (const ear of ears) ear.say({ sub: 'subUser', token: await ticketOf(venue.alice) });
    const refused = await eventually(() => ears.find((ear) => ear.of('error').length > 0), 'a refusal');
    expect(refused.of('error')[0]?.data).toMatchObject({ reason: 'TooManyConnections' });
  });

  test('a connection that asks for nothing is closed', async () => {
    await venue.close();
    venue = await openVenue({ limits: { ...ROOMY, stream: { ...ROOMY.stream, authenticateMs: 20 } } });
    const ear = await listen();
    expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
  });

  test('a flood of unfinished fragments is cut off', async () => {
    const ear = await listen();
    for (let count = 0; count < 17; count += 1) ear.socket.send('x', { fin: false });
    expect(await eventually(() => ear.closed, 'the end')).toBe(1008);
  });

  test('an upgrade elsewhere, or of something that is no WebSocket, is refused', async () => {
    const { hostname, port } = new URL(venue.base);
    for (const path of ['/', '/spot/v1/ws/other']) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
      );
      const text = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
      socket.destroy();
      expect(text).toMatch(/^HTTP\/1.1 404/);
    }
  });
});
