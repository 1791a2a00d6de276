/** What an account reads about itself: listen keys, lights of deleveraging, its fee tier; and what its calls weigh. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FUTURES_STREAM_PATH, LISTEN_KEY_LIFE_MS, STREAM_PATH } from '@orrery/api';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { eventually, openVenue, ROOMY, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const symbol = 'BTC_USDC';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { symbol, orderType: 'LIMIT', price: '100000', origQty: '0.1', ...body } });

describe('[F1] a listen key', () => {
  const keyOf = async (type: string): Promise<string> =>
    (await venue.get(`${user}/user/listen-key`, { as: venue.alice, query: { type } })).data;

  /** What the stream answers first. */
  async function answered(path: string, message: object): Promise<string> {
    const socket = new WebSocket(`${venue.base.replace('http', 'ws')}${path}`);
    const heard: string[] = [];
    socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(JSON.stringify(message));
    const first = await eventually(() => heard[0], 'an answer of the stream');
    socket.terminate();
    return first;
  }
  const ofSpot = (token: string): Promise<string> => answered(STREAM_PATH, { sub: 'subUser', token });
  const ofFutures = (key: string): Promise<string> =>
    answered(FUTURES_STREAM_PATH, { method: 'SUBSCRIBE', params: [`order@${key}`], id: 7 });
  const REFUSED = '"reason":"NotSignedIn"';
  const TAKEN = '{"id":7,"code":0,"msg":"success"}';

  test.each(['spot', 'always-spot'])('of %s opens the stream of spot, again and again, and not that of contracts', async (type) => {
    const key = await keyOf(type);
    expect(await ofSpot(key)).toBe('succeed');
    expect(await ofSpot(key)).toBe('succeed');
    expect(await ofFutures(key)).toContain(REFUSED);
  });

  test('is good for 60 minutes after it was last asked for', async () => {
    const key = await keyOf('futures');
    expect(await ofFutures(key)).toBe(TAKEN);
    expect(await ofSpot(key)).toContain(REFUSED);
    venue.clock.now += LISTEN_KEY_LIFE_MS - 1;
    expect(await keyOf('futures')).toBe(key);
    venue.clock.now += LISTEN_KEY_LIFE_MS - 1;
    expect(await ofFutures(key)).toBe(TAKEN);
    venue.clock.now += 1;
    expect(await ofFutures(key)).toContain(REFUSED);
    expect(await keyOf('futures')).not.toBe(key);
  });

  test('of a kind that there is not is refused by its name', async () => {
    const refused = await venue.get(`${user}/listen-key`, { as: venue.alice, query: { type: 'margin' } });
    expect(refused).toMatchObject({ status: 400, data: { field: 'type' } });
  });
});

test('[F1] lights of deleveraging say for each contract how near its long and its short are', async () => {
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
  await place(venue.bob, { orderSide: 'SELL' });
  const taken = await place(venue.alice, { orderSide: 'BUY' });
  const query = { minSeq: String(taken.headers.get('x-orrery-seq')) };
  const ranks = async (as: Person): Promise<unknown> => (await venue.get(`${user}/position/adl`, { as, query })).data;
  expect(await ranks(venue.alice)).toEqual([{ symbol, longQuantile: 5, shortQuantile: 0 }]);
  expect(await ranks(venue.bob)).toEqual([{ symbol, longQuantile: 0, shortQuantile: 5 }]);
});

test('[F1] the fee tier of an account without volume is the first of those it could have', async () => {
  const { data } = await venue.get(`${user}/step-rate`, { as: venue.alice });
  expect(data).toMatchObject({ tier: 0, rebateTier: 0, makerFee: '0.0002', takerFee: '0.0005', volume: '0' });
  const { tiers }: { tiers: { tier: number; minVolume: string; takerFee: string }[] } = data;
  expect(tiers[0]).toMatchObject({ tier: 0, minVolume: '0', takerFee: '0.0005' });
  expect(tiers.map(({ tier }) => tier)).toEqual(tiers.map((_, index) => index));
  expect(tiers.map(({ takerFee }) => Number(takerFee))).toEqual(tiers.map(({ takerFee }) => Number(takerFee)).toSorted((a, b) => b - a));
});

describe('[F1] weights', () => {
  const tight = { count: 1, perMs: 1e12, by: 'account' } as const;
  const bounded = (rates: Partial<typeof ROOMY.rates.standard>): Promise<Venue> =>
    openVenue({ limits: { ...ROOMY, rates: { ...ROOMY.rates, standard: { ...ROOMY.rates.standard, ...rates } } } });

  test('cancelling all weighs one call, and one more for each 40 orders', async () => {
    const strict = await bounded({ cancel: { ...tight, burst: 3 } });
    await giveMargin(strict, strict.alice, '100000');
    await setPrice(strict, { symbol, price: '100000', rounds: 3 });
    const order = { symbol, orderSide: 'BUY', orderType: 'LIMIT', price: '99000', origQty: '0.001' };
    const as = { as: strict.alice };
    const placed = await strict.post(`${trade}/order/create-batch`, { ...as, body: { orders: Array.from({ length: 40 }, () => order) } });
    expect(placed.code).toBe(0);
    const cancelled = await strict.post(`${trade}/order/cancel-all`, { ...as, body: {} });
    expect((cancelled.data as unknown[]).length).toBe(40);
    expect((await strict.post(`${trade}/order/cancel-all`, { ...as, body: {} })).status).toBe(200);
    expect((await strict.post(`${trade}/order/cancel-all`, { ...as, body: {} })).status).toBe(429);
    await strict.close();
  });

  test('candles weigh one call for each 500', async () => {
    const strict = await bounded({ public: { ...tight, burst: 4, by: 'network' } });
    const klines = (limit: number): Promise<Answer> =>
      strict.get('/futures/fapi/market/v1/q/kline', { query: { symbol, interval: '1m', limit: String(limit) } });
    expect([(await klines(1_500)).status, (await klines(500)).status, (await klines(1)).status]).toEqual([200, 200, 429]);
    await strict.close();
  });
});
