import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1/order';
const spot = '/spot/v1/u/trade/order';
const symbol = 'BTC_USDC';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '10000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/create`, { as, body: { symbol, orderType: 'LIMIT', ...body } });
const minSeq = (): string => String(venue.heart.history.length);
const most = async (as: Person, query: Record<string, string>): Promise<Record<string, string | number | null>> =>
  (await venue.get(`${trade}/max-size`, { as, query: { symbol, minSeq: minSeq(), ...query } })).data;

test('the most of a contract is taken when it is sent, and a hundredth more is not', async () => {
  const { alice } = venue;
  for (const [orderSide, price] of [
    ['BUY', '99000'],
    ['BUY', '101000'],
    ['SELL', '101000'],
    ['SELL', '99500'],
  ] as const) {
    const { maxQty, closeQty, leverage } = await most(alice, { orderSide, price });
    expect([closeQty, Number(maxQty) > 0, Number(leverage) > 0]).toEqual(['0', true, true]);
    const more = (Number(maxQty) * 1.02).toFixed(3);
    expect(await place(alice, { orderSide, price, origQty: more })).toMatchObject({ code: 4003 });
    expect(await place(alice, { orderSide, price, origQty: maxQty })).toMatchObject({ code: 0 });
    await venue.post(`${trade}/cancel-all`, { as: alice, body: { symbol } });
  }
});

test('what closes a position comes on top, and is all that an order which only reduces may have', async () => {
  const { alice, bob } = venue;
  await place(bob, { orderSide: 'SELL', price: '100000', origQty: '0.1' });
  await place(alice, { orderSide: 'BUY', price: '100000', origQty: '0.1' });
  expect(await most(alice, { orderSide: 'SELL', reduceOnly: 'true' })).toMatchObject({ maxQty: '0.1', closeQty: '0.1' });
  expect(await most(alice, { orderSide: 'BUY', reduceOnly: 'true' })).toMatchObject({ maxQty: '0', closeQty: '0' });
  const selling = await most(alice, { orderSide: 'SELL', price: '100000' });
  const buying = await most(alice, { orderSide: 'BUY', price: '100000' });
  expect(Number(selling['maxQty']) - Number(buying['maxQty'])).toBeCloseTo(0.1, 2);
  expect(await place(alice, { orderSide: 'SELL', price: '100000', origQty: selling['maxQty'] })).toMatchObject({ code: 0 });
});

test('with `max` a size is a bound: what there is money for is placed, of spot, of a purchase that is protected, and of a contract', async () => {
  const carol = await venue.newcomer('carol');
  const create = async (path: string, body: object): Promise<string> => {
    const { code, data } = await venue.post(path, { as: carol, body: { symbol, ...body } });
    expect(code).toBe(0);
    return data;
  };
  const sizeOf = (id: string): number | undefined =>
    venue.heart.history
      .flatMap(({ events }) => [...events])
      .flatMap((event) => (event.type === 'OrderAccepted' && String(event.orderId) === id ? [event.size] : []))[0];
  // 1,000,000 USDC in spot.
  const limit = { direction: 'BUY', tradeType: 'LIMIT', price: '100000', totalAmount: '11', max: true };
  const plain = await create(`${spot}/create`, limit);
  expect(sizeOf(plain)).toBe(1_000_000);
  await venue.post(`${spot}/cancel-all`, { as: carol, body: { symbol } });
  const guarded = await create(`${spot}/create`, { ...limit, triggerProfitPrice: '120000', triggerStopPrice: '80000' });
  expect(sizeOf(guarded)).toBe(1_000_000);
  await venue.post(`${spot}/cancel-all`, { as: carol, body: { symbol } });
  await giveMargin(venue, carol, '1000');
  // 1,000 / (1 / leverage + 0.05 %) at 99,000, in lots of 0.00001.
  const leverage = Number((await most(carol, { orderSide: 'BUY', price: '99000' }))['leverage']);
  const order = await create(`${trade}/create`, { orderSide: 'BUY', orderType: 'LIMIT', price: '99000', origQty: '10', max: true });
  expect(sizeOf(order)).toBe(Math.floor((1_000 / (1 / leverage + 0.0005) / 99_000) * 100_000));
  const stop = { orderSide: 'BUY', entrustType: 'STOP_MARKET', stopPrice: '110000', origQty: '1', max: true };
  expect((await venue.post(`${trade}/plan`, { as: carol, body: { symbol, ...stop } })).code).not.toBe(0);
});

test('the most of a spot market is what is free at the price, or all that is free of what is sold', async () => {
  const { bob } = venue;
  const ask = async (query: Record<string, string>): Promise<Record<string, string | null>> =>
    (await venue.get(`${spot}/max-size`, { as: bob, query: { symbol, minSeq: minSeq(), ...query } })).data;
  const order = (body: object): Promise<Answer> =>
    venue.post(`${spot}/create`, { as: bob, body: { symbol, direction: 'BUY', tradeType: 'LIMIT', ...body } });
  const limit = await ask({ direction: 'BUY', price: '100000' });
  expect(limit).toMatchObject({ price: '100000' });
  const more = (Number(limit['maxAmount']) * 1.02).toFixed(4);
  expect((await order({ price: '100000', totalAmount: more })).code).not.toBe(0);
  expect(await order({ price: '100000', totalAmount: limit['maxAmount'] })).toMatchObject({ code: 0 });
  await venue.post(`${spot}/cancel-all`, { as: bob, body: { symbol } });
  const stop = await ask({ direction: 'BUY', stopPrice: '110000' });
  expect(Number(stop['price'])).toBeGreaterThan(110_000);
  expect(await order({ tradeType: 'STOP_MARKET', stopPrice: '110000', totalAmount: stop['maxAmount'] })).toMatchObject({ code: 0 });
  const sell = await ask({ direction: 'SELL' });
  expect(sell).toMatchObject({ maxAmount: expect.stringMatching(/^\d/), free: expect.stringMatching(/^\d/) });
});
