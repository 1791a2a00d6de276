import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedRequestText, signedText } from '@orrery/api';
import { SignatureCheck, type SignedCall } from './signature.ts';
import { signedHeaders, signedRequestHeaders, type Key } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

describe('what is signed', () => {
  test.each([
    [[], '&timestamp=1700000000000'],
    [
      [
        ['symbol', 'BTC_USDC'],
        ['page', '1'],
      ],
      'symbol=BTC_USDC&page=1&timestamp=1700000000000',
    ],
  ] as const)('%j', (parameters, text) => {
    expect(signedText(parameters, 1_700_000_000_000)).toBe(text);
  });

  test('the signature is HMAC-SHA256 in hex: a vector made by openssl', () => {
    // printf '&timestamp=1700000000000' | openssl dgst -sha256 -hmac secret
    expect(createHmac('sha256', 'secret').update(signedText([], 1_700_000_000_000)).digest('hex')).toBe(VECTOR);
  });
});

const VECTOR = '7726dd25c1639e40b579bb1d75dae406de84d529fe9e7ae6868b61577f939f3e';

describe('calls signed with a key', () => {
  let venue: Venue;
  let key: Key;
  beforeAll(async () => {
    venue = await openVenue();
    key = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9 });
  });
  afterAll(() => venue.close());

  const list = '/spot/v1/u/trade/order/list';
  const create = '/spot/v1/u/trade/order/create';
  const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '0.01' };

  test('parameters in the order sent, POST parameters in the query string, and a JSON body are all taken', async () => {
    expect(await venue.get(list, { key, query: { symbol: 'BTC_USDC', page: '1', size: '10', state: '1' } })).toMatchObject({
      status: 200,
      code: 0,
    });
    expect(await venue.post(create, { key, query: order })).toMatchObject({ status: 200, code: 0 });
    expect(await venue.post(create, { key, body: order })).toMatchObject({ status: 200, code: 0 });
    const batch = await venue.post('/spot/v1/u/trade/order/batch/create', { key, query: { ordersJsonStr: JSON.stringify([order]) } });
    expect(batch.data).toMatchObject([{ code: 0 }]);
    const [{ data: orderId }] = batch.data as [{ data: string }];
    expect(
      (await venue.post('/spot/v1/u/trade/order/batch/cancel', { key, query: { orderIdsJson: JSON.stringify([orderId]) } })).data,
    ).toEqual([orderId]);
  });

  test('a client that sorts its parameters before signing is met half-way', async () => {
    const sorted = signedHeaders(
      key,
      [
        ['page', '1'],
        ['size', '10'],
        ['symbol', 'BTC_USDC'],
      ],
      venue.clock.now,
    );
    expect(await venue.get(list, { query: { symbol: 'BTC_USDC', page: '1', size: '10' }, headers: sorted })).toMatchObject({ code: 0 });
    const shuffled = signedHeaders(
      key,
      [
        ['size', '10'],
        ['page', '1'],
        ['symbol', 'BTC_USDC'],
      ],
      venue.clock.now,
    );
    expect(await venue.get(list, { query: { symbol: 'BTC_USDC', page: '1', size: '10' }, headers: shuffled })).toMatchObject({
      status: 401,
      code: 12_004,
    });
  });

  test('a timestamp more than five seconds old or one second ahead is refused', async () => {
    for (const [skew, code] of [
      [-5_000, 0],
      [-5_001, 12_005],
      [1_000, 0],
      [1_001, 12_005],
    ] as const) {
      const query = { page: '1', size: skew > 0 ? '20' : '50' };
      const headers = signedHeaders(key, Object.entries(query), venue.clock.now + skew);
      expect((await venue.get(list, { query, headers })).code).toBe(code);
    }
  });

  describe('a legacy signature covers neither path nor nonce, and is taken once whatever came with them', () => {
    const cancelAll = '/spot/v1/u/trade/order/cancel-all';
    const changes = [
      ['the same order', create],
      ['another call', cancelAll],
    ] as const;
    const nonces = [
      ['the same nonce', {}],
      ['another nonce', { 'x-request-nonce': 'another-nonce' }],
    ] as const;
    let moment = 7;

    test.each(changes.flatMap(([call, path]) => nonces.map(([name, nonce]) => [call, name, path, nonce] as const)))(
      'an order, then %s under %s',
      async (_call, _name, path, nonce) => {
        const headers = signedHeaders(key, Object.entries(order), venue.clock.now + (moment += 1));
        expect((await venue.post(create, { query: order, headers })).code).toBe(0);
        const replayed = { ...headers, ...nonce };
        expect(await venue.post(path, { query: order, headers: replayed })).toMatchObject({ status: 401, code: 12_006 });
        expect((await venue.get(list, { query: order, headers: replayed })).code).toBe(12_006);
      },
    );

    test.each(nonces)(
      'a read is no change under %s, and repeats for a second on any path, by the monotonic clock',
      async (_name, nonce) => {
        const read = signedHeaders(key, [], venue.clock.now + (moment += 1));
        const again = { ...read, ...nonce };
        const balances = '/spot/v1/u/balance/spot';
        expect((await venue.get(balances, { headers: read })).code).toBe(0);
        expect((await venue.get('/spot/v1/u/ws/token', { headers: again })).code).toBe(0);
        expect((await venue.post(cancelAll, { headers: again })).code).toBe(12_006);
        expect((await venue.get(balances, { headers: again })).code).toBe(0);
      },
    );
  });

  test('equal orders of one millisecond are two orders by version 2', async () => {
    const sign = () =>
      signedRequestHeaders(key, { method: 'POST', url: create, body: JSON.stringify(order), timestamp: venue.clock.now + 11 });
    const both = await Promise.all([
      venue.post(create, { body: order, headers: sign() }),
      venue.post(create, { body: order, headers: sign() }),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0].data).not.toBe(both[1].data);
  });

  test('version 2 covers method, path, query, body and nonce: none of them can be exchanged', async () => {
    const body = JSON.stringify(order);
    const timestamp = venue.clock.now;
    const sign = () => signedRequestHeaders(key, { method: 'POST', url: create, body, timestamp });
    const headers = sign();
    expect((await venue.post(create, { body: order, headers })).code).toBe(0);
    expect((await venue.post(create, { body: order, headers })).code).toBe(12_006);
    expect((await venue.post(create, { body: order, headers: { ...headers, 'x-request-nonce': 'another-nonce' } })).code).toBe(12_004);
    expect((await venue.post(create, { body: { ...order, direction: 'SELL' }, headers: sign() })).code).toBe(12_004);
    expect((await venue.post('/spot/v1/u/trade/order/cancel-all', { body: order, headers: sign() })).code).toBe(12_004);
    const read = () => signedRequestHeaders(key, { method: 'GET', url: `${list}?page=1&size=10`, timestamp });
    expect((await venue.get(list, { query: { page: '1', size: '10' }, headers: read() })).code).toBe(0);
    expect((await venue.get(list, { query: { page: '2', size: '10' }, headers: read() })).code).toBe(12_004);
    expect(await venue.get(list, { headers: { ...read(), 'x-signature-version': '3' } })).toMatchObject({
      code: 11_002,
      data: { field: 'x-signature-version' },
    });
  });

  test('a key made without legacy signing only reads by the legacy scheme', async () => {
    const modern = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now + 1e9, legacySigning: false });
    expect((await venue.get(list, { key: modern })).code).toBe(0);
    expect(await venue.post(create, { key: modern, body: order })).toMatchObject({ status: 403, code: 12_015 });
    const headers = signedRequestHeaders(modern, { method: 'POST', url: create, body: JSON.stringify(order), timestamp: venue.clock.now });
    expect((await venue.post(create, { body: order, headers })).code).toBe(0);
  });

  test('a wrong secret, an unknown key, a changed parameter, a missing header and a lapsed key are refused', async () => {
    const query = { page: '1', size: '100' };
    const good = signedHeaders(key, Object.entries(query), venue.clock.now);
    const forged = signedHeaders({ ...key, secret: 'guess' }, Object.entries(query), venue.clock.now);
    expect(await venue.get(list, { query, headers: forged })).toMatchObject({ status: 401, code: 12_004 });
    expect(await venue.get(list, { query, headers: { ...good, 'x-access-key': 'nobody-has-this-key' } })).toMatchObject({
      status: 401,
      code: 12_003,
    });
    expect(await venue.get(list, { query: { ...query, page: '2' }, headers: good })).toMatchObject({ code: 12_004 });
    const { 'x-signature': _, ...unsigned } = good;
    expect(await venue.get(list, { query, headers: unsigned })).toMatchObject({ code: 11_003, data: { field: 'x-signature' } });
    const lapsed = venue.people.addKey(venue.alice, { permission: 'TRADE', endsAt: venue.clock.now - 1 });
    expect(await venue.get(list, { key: lapsed })).toMatchObject({ status: 401, code: 12_003 });
  });

  test('a key with an IP list is taken from there only', async () => {
    const options = { permission: 'READ', endsAt: venue.clock.now + 1e9 } as const;
    const [here, elsewhere] = [
      venue.people.addKey(venue.alice, { ...options, ipList: ['127.0.0.0/8'] }),
      venue.people.addKey(venue.alice, { ...options, ipList: ['10.1.2.3', '2001:db8::/64'] }),
    ];
    expect((await venue.get(list, { key: here })).code).toBe(0);
    expect(await venue.get(list, { key: elsewhere })).toMatchObject({ status: 403, code: 12_013 });
    expect(await venue.get(list, { key: elsewhere, query: { page: '2' }, headers: { 'x-forwarded-for': '10.1.2.3' } })).toMatchObject({
      status: 403,
    });
  });
});

const TEXT = { accessKey: 'key', parameters: [], method: 'POST', path: '/', query: '', bodyText: '', isLegacy: true, changes: true };

const signedAt = (timestamp: number): SignedCall => ({
  ...TEXT,
  timestamp: String(timestamp),
  nonce: 'nonce-nonce',
  signature: createHmac('sha256', 'secret').update(signedText([], timestamp)).digest('hex'),
});

test('signatures are remembered for as long as their timestamps are good', () => {
  let now = 1_700_000_000_000;
  const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: now - 60_000, monotonicMs: () => now });
  const first = signedAt(now + 1_000);
  void check.accept(first, 'secret');
  for (; now <= 1_700_000_006_000; now += 100) {
    void check.accept(signedAt(now + 37), 'secret');
    expect(() => check.accept(first, 'secret')).toThrow(/made before/);
  }
  expect(() => check.accept(first, 'secret')).toThrow(/window/);
});

test('a call that was taken before a restart is not taken again after it', () => {
  let now = 1_700_000_000_000;
  const before = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: now - 60_000, monotonicMs: () => now });
  const [punctual, early] = [signedAt(now), signedAt(now + 1_000)];
  void before.accept(punctual, 'secret');
  void before.accept(early, 'secret');
  const after = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: now, monotonicMs: () => now });
  for (const call of [punctual, early]) expect(() => after.accept(call, 'secret')).toThrow(/started since/);
  now += 1_001;
  void after.accept(signedAt(now), 'secret');
  for (const call of [punctual, early]) expect(() => after.accept(call, 'secret')).toThrow(/started since/);
});

test('a wall clock that is set back behind the start of a program that runs refuses nobody', () => {
  let [now, monotonic] = [1_700_000_000_000, 0];
  const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: now, monotonicMs: () => monotonic });
  now -= 3_600_000;
  expect(() => check.accept(signedAt(now), 'secret')).toThrow(/started since/);
  monotonic += 10_000;
  void check.accept(signedAt(now), 'secret');
});

test('a legacy read repeats for a second and is then used up', () => {
  let [now, monotonic] = [1_700_000_000_000, 0];
  const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: now - 60_000, monotonicMs: () => monotonic });
  const read = { ...signedAt(now), method: 'GET', changes: false };
  for (const [at, isTaken] of [
    [0, true],
    [1_000, true],
    [1_001, false],
    [4_999, false],
  ] as const) {
    [now, monotonic] = [1_700_000_000_000 + at, at];
    if (isTaken) void check.accept(read, 'secret');
    else expect(() => check.accept(read, 'secret')).toThrow(/made before/);
  }
});

describe('a call that was taken is not taken again, wherever the wall clock goes', () => {
  const START = 1_700_000_000_000;
  const JUMPS = [-600_000, -12_001, -6_001, -5_000, -1_000, 1_000, 5_000, 6_001, 12_001, 600_000];
  const PAUSES = [0, 1, 5_999, 6_001, 12_001, 30_000, 600_000, 8_000_000];

  test.each(JUMPS.flatMap((jump) => PAUSES.map((pause) => [jump, pause] as const)))(
    'it jumps %i ms and back, %i ms apart',
    (jump, pause) => {
      for (const sign of [signedAt, signedByVersion2]) {
        let [now, monotonic] = [START, 0];
        const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: START - 60_000, monotonicMs: () => monotonic });
        const taken = sign(now);
        void check.accept(taken, 'secret');
        const refusesIt = (): void => expect(() => check.accept(taken, 'secret')).toThrow(/made before|window/);
        const others = (): void => {
          try {
            void check.accept(sign((now += 1)), 'secret');
          } catch {
            // After a jump back, what was signed at this time before cannot be distinguished from what is signed now.
          }
        };
        now += jump;
        for (let passed = 0; passed <= pause; passed += Math.max(1, pause / 4)) {
          monotonic += pause / 4;
          others();
          refusesIt();
        }
        now -= jump;
        others();
        refusesIt();
      }
    },
  );

  test('what was taken more than an hour ago is forgotten, and a clock that is set back to it takes nothing of that time', () => {
    let [now, monotonic] = [START, 0];
    const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: START - 60_000, monotonicMs: () => monotonic });
    for (let minute = 0; minute < 130; minute += 1) {
      void check.accept(signedAt(now), 'secret');
      [now, monotonic] = [now + 61_000, monotonic + 61_000];
    }
    void check.accept(signedAt(now), 'secret');
    now = START + 61_000;
    expect(() => check.accept(signedAt(now), 'secret')).toThrow(/window/);
    // Of the last hour it is known what was taken: the rest of it is taken.
    now = START + 130 * 61_000 - 1_800_000;
    void check.accept(signedAt(now + 1), 'secret');
    expect(() => check.accept(signedAt(now + 1), 'secret')).toThrow(/made before/);
  });

  test('one that was hours ahead or behind, and is right again, refuses no new call', () => {
    for (const jump of [-86_400_000, -3_600_000, 60_000, 3_600_000, 86_400_000]) {
      let [now, monotonic] = [START, 0];
      const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: START - 60_000, monotonicMs: () => monotonic });
      const pass = (ms: number): void => {
        for (let passed = 0; passed < ms; passed += 500) {
          [now, monotonic] = [now + 500, monotonic + 500];
          void check.accept(signedAt(now), 'secret');
        }
      };
      pass(30_000);
      now += jump;
      pass(30_000);
      now -= jump;
      pass(30_000);
    }
  });

  test('one that is hours off refuses no call that is signed by the reported time or by the wall clock', () => {
    for (const jump of [-86_400_000, -3_600_000, 3_600_000, 86_400_000]) {
      let now = START;
      const check = new SignatureCheck({ now: () => now, wallMs: () => now + jump, startedAt: START - 60_000, monotonicMs: () => now });
      now += 10_000;
      for (let step = 0; step < 400; step += 1) {
        now += 500;
        const both = [signedAt(now), signedAt(now + jump)];
        for (const call of both) void check.accept(call, 'secret');
        for (const call of both) expect(() => check.accept(call, 'secret')).toThrow(/made before/);
        expect(() => check.accept(signedAt(now + jump / 2), 'secret')).toThrow(/window/);
      }
    }
  });

  test('one that was far ahead, and was signed by meanwhile, refuses nobody once the time has come up to it', () => {
    for (const ahead of [5_400_000, 14_400_000]) {
      let now = START;
      const check = new SignatureCheck({ now: () => now, wallMs: () => now + ahead, startedAt: START - 60_000, monotonicMs: () => now });
      for (; now < START + ahead + 600_000; now += 30_000) {
        const both = [signedAt(now), signedAt(now + ahead + 1)];
        for (const call of both) void check.accept(call, 'secret');
        for (const call of both) expect(() => check.accept(call, 'secret')).toThrow(/made before/);
      }
    }
  });

  test('one that is set back by less than the window refuses no new call', () => {
    let [now, monotonic] = [START, 0];
    const check = new SignatureCheck({ now: () => now, wallMs: () => now, startedAt: START - 60_000, monotonicMs: () => monotonic });
    for (let step = 0; step < 1_000; step += 1) {
      void check.accept(signedAt(now + (step % 2)), 'secret');
      monotonic += 97;
      now += step % 100 === 99 ? 97 - 3_000 : 97;
    }
  });
});

function signedByVersion2(timestamp: number): SignedCall {
  const call = { ...signedAt(timestamp), isLegacy: false };
  const text = signedRequestText({ ...call, bodyHash: createHash('sha256').digest('hex') });
  return { ...call, signature: createHmac('sha256', 'secret').update(text).digest('hex') };
}
