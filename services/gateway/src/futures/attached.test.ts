/** Take-profits, stop-losses and plan orders as callers see them, with the real engine behind the calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FuturesOrder, ProfitStop } from '@orrery/api';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1';
const user = '/futures/fapi/user/v1';
const symbol = 'BTC_USDC';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  await giveMargin(venue, venue.alice, '100000');
  await giveMargin(venue, venue.bob, '100000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));
const place = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { symbol, orderType: 'LIMIT', origQty: '0.1', ...body } });
const detail = async (as: Person, orderId: string, minSeq: string): Promise<FuturesOrder> =>
  (await venue.get(`${trade}/order/detail`, { as, query: { orderId, minSeq } })).data;
const stopsOf = async (as: Person, minSeq: string): Promise<readonly ProfitStop[]> => {
  const { items }: { items: ProfitStop[] } = (await venue.get(`${trade}/entrust/profit-list`, { as, query: { minSeq } })).data;
  return items;
};
const fieldOf = ({ code, data }: Answer): string => (code === 0 ? 'ok' : String(Reflect.get(data, 'field')));

describe('[F1] what is attached to an order', () => {
  test('shows on the open order, and once it is filled as orders of their own, whose triggers the order goes on to show', async () => {
    const { alice, bob } = venue;
    const placed = await place(alice, { orderSide: 'BUY', price: '99000', triggerProfitPrice: '104000', triggerStopPrice: '97000' });
    const attached = { triggerProfitPrice: '104000', triggerStopPrice: '97000' };
    const list = await venue.get(`${trade}/order/list`, { as: alice, query: { minSeq: seqOf(placed) } });
    // 0.1 x 99,000 at a leverage of 10, and its fee of 0.05 %: 990 + 4.95.
    expect(list.data).toMatchObject({ total: 1, items: [{ orderId: placed.data, state: 'NEW', ...attached, closeProfit: '0' }] });
    expect(await detail(alice, placed.data, seqOf(placed))).toMatchObject({ marginFrozen: '994.95' });
    expect(await stopsOf(alice, seqOf(placed))).toEqual([]);
    const taken = await place(bob, { orderSide: 'SELL', price: '99000' });
    const stops = await stopsOf(alice, seqOf(taken));
    expect(stops).toMatchObject([
      { parentId: placed.data, triggerProfitPrice: null, triggerStopPrice: '97000', positionSize: '0.1', entryPrice: '99000' },
      { parentId: placed.data, triggerProfitPrice: '104000', triggerStopPrice: null, positionType: 'CROSSED', isolatedMargin: '0' },
    ]);
    expect(await detail(alice, placed.data, seqOf(taken))).toMatchObject({ state: 'FILLED', marginFrozen: '0', ...attached });
    const moved = await venue.post(`${trade}/entrust/update-profit-stop`, {
      as: alice,
      body: { profitId: stops[0]?.profitId, triggerStopPrice: '98000' },
    });
    expect(moved.code).toBe(0);
    expect(await detail(alice, placed.data, seqOf(moved))).toMatchObject({ triggerProfitPrice: '104000', triggerStopPrice: '98000' });
  });

  test.each([
    ['BUY', { triggerProfitPrice: '98000' }, 'triggerProfitPrice'],
    ['BUY', { triggerStopPrice: '99500' }, 'triggerStopPrice'],
    ['SELL', { triggerProfitPrice: '102000', price: '101000' }, 'triggerProfitPrice'],
    ['SELL', { triggerStopPrice: '100500', price: '101000' }, 'triggerStopPrice'],
    ['BUY', { triggerStopPrice: '97000.55' }, 'triggerStopPrice'],
    ['BUY', { triggerStopPrice: '97000', reduceOnly: true }, 'triggerStopPrice'],
  ])('on the wrong side, off the grid or on what only reduces is refused by its name: %s %o', async (orderSide, body, field) => {
    const refused = await place(venue.bob, { orderSide, price: '99000', ...body });
    expect([refused.status, fieldOf(refused)]).toEqual([400, field]);
  });

  test('a moved trigger that would act at once is refused by the name that the caller knows', async () => {
    const [stop] = await stopsOf(venue.alice, '1');
    const refused = await venue.post(`${trade}/entrust/update-profit-stop`, {
      as: venue.alice,
      body: { profitId: stop?.profitId, triggerStopPrice: '101000' },
    });
    expect([refused.status, fieldOf(refused)]).toEqual([400, 'triggerStopPrice']);
    const strange = await venue.post(`${trade}/entrust/update-profit-stop`, {
      as: venue.alice,
      body: { profitId: '999999', triggerStopPrice: '98000' },
    });
    expect([strange.status, fieldOf(strange)]).toEqual([404, 'profitId']);
  });
});

describe('[F1] a plan order', () => {
  const plan = (body: object): Promise<Answer> =>
    venue.post(`${trade}/entrust/create-plan`, { as: venue.bob, body: { symbol, origQty: '0.01', ...body } });

  test.each([
    ['BUY', 'STOP_MARKET', '101000'],
    ['BUY', 'TAKE_PROFIT_MARKET', '99000'],
    ['SELL', 'STOP_MARKET', '99000'],
    ['SELL', 'TAKE_PROFIT_MARKET', '101000'],
    ['BUY', 'STOP', '101000'],
    ['BUY', 'TAKE_PROFIT', '99000'],
    ['SELL', 'STOP', '99000'],
    ['SELL', 'TAKE_PROFIT', '101000'],
  ])(
    '%s %s at %s of a price of 100,000 stays what it was placed as; on the other side it is refused',
    async (orderSide, entrustType, stopPrice) => {
      const limit = entrustType.endsWith('MARKET') ? {} : { price: '100000' };
      const placed = await plan({ orderSide, entrustType, stopPrice, ...limit });
      const shown = await venue.get(`${trade}/entrust/plan-detail`, {
        as: venue.bob,
        query: { entrustId: placed.data, minSeq: seqOf(placed) },
      });
      expect(shown.data).toMatchObject({ entrustType, stopPrice, state: 'NOT_TRIGGERED', triggerPriceType: 'MARK_PRICE' });
      const cancelled = await venue.post(`${trade}/entrust/cancel-plan`, { as: venue.bob, body: { entrustId: placed.data } });
      const over = await venue.get(`${trade}/entrust/plan-list-history`, { as: venue.bob, query: { minSeq: seqOf(cancelled), size: '1' } });
      expect(over.data).toMatchObject({ items: [{ entrustId: placed.data, entrustType, state: 'USER_REVOCATION' }] });
      const mirrored = stopPrice === '99000' ? '101000' : '99000';
      const refused = await plan({ orderSide, entrustType, stopPrice: mirrored, ...limit });
      expect([refused.status, fieldOf(refused)]).toEqual([400, 'stopPrice']);
    },
  );

  test.each([
    [{ entrustType: 'STOP', stopPrice: '99000' }, 'price'],
    [{ entrustType: 'STOP_MARKET', stopPrice: '99000', price: '98000' }, 'price'],
    [{ entrustType: 'STOP_MARKET' }, 'stopPrice'],
    [{ entrustType: 'STOP_MARKET', stopPrice: '99000', callbackRate: '0.01' }, 'callbackRate'],
    [{ entrustType: 'TRAILING_STOP_MARKET' }, 'callbackRate'],
    [{ entrustType: 'TRAILING_STOP_MARKET', callbackRate: '0.01', stopPrice: '99000' }, 'stopPrice'],
    [{ entrustType: 'TRAILING_STOP_MARKET', callbackRate: '0.0105' }, 'callbackRate'],
    [{ entrustType: 'STOP_MARKET', stopPrice: '99000', closePosition: true }, 'origQty'],
  ])('that lacks a field or has one too many is refused by its name: %o', async (body, field) => {
    const refused = await plan({ orderSide: 'SELL', ...body });
    expect([refused.status, fieldOf(refused)]).toEqual([400, field]);
  });

  test('that trails has no trigger price, and its rate is shown', async () => {
    const placed = await plan({ orderSide: 'SELL', entrustType: 'TRAILING_STOP_MARKET', callbackRate: '0.01' });
    const shown = await venue.get(`${trade}/entrust/plan-detail`, {
      as: venue.bob,
      query: { entrustId: placed.data, minSeq: seqOf(placed) },
    });
    expect(shown.data).toMatchObject({ entrustType: 'TRAILING_STOP_MARKET', stopPrice: null, callbackRate: '0.01' });
  });

  test('a take-profit that acts at the mark closes the position and cancels its stop-loss', async () => {
    const { alice, bob } = venue;
    await place(bob, { orderSide: 'BUY', price: '103500' });
    await setPrice(venue, { symbol, price: '104000', rounds: 2 });
    const seq = String(venue.heart.status().seq);
    expect((await venue.get(`${user}/position/list`, { as: alice, query: { minSeq: seq } })).data).toEqual([]);
    expect(await stopsOf(alice, seq)).toEqual([]);
  });
});
