/** A position's take-profit and stop-loss in one call, what a close-all has left, and how its owner learns of a stop that could not act: with the engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Ear } from '../testing/ear.ts';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1';
const symbol = 'BTC_USDC';

let venue: Venue;
let alice: Person;
let count = 0;
beforeAll(async () => {
  venue = await openVenue();
  await giveMargin(venue, venue.bob, '500000');
});
afterAll(() => venue.close());
beforeEach(async () => {
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
  alice = await venue.newcomer(`alice-${(count += 1)}`);
  await giveMargin(venue, alice, '100000');
});

const post = (path: string, body: object, as = alice): Promise<Answer> => venue.post(`${trade}/${path}`, { as, body });
const get = async (path: string, query: Record<string, string> = {}) =>
  (await venue.get(`${trade}/${path}`, { as: alice, query: { minSeq: String(venue.heart.status().seq), ...query } })).data as {
    readonly items: readonly Record<string, unknown>[];
  };
const place = (body: object, as = alice) => post('order/create', { symbol, orderType: 'LIMIT', ...body }, as);

/** Alice is long, and nobody bids. */
async function hold(origQty: string): Promise<void> {
  await post('order/cancel-all', { symbol }, venue.bob);
  await place({ orderSide: 'SELL', price: '100000', origQty }, venue.bob);
  await place({ orderSide: 'BUY', price: '100000', origQty });
}

describe('set-protection', () => {
  const set = (body: object) => post('entrust/set-protection', { symbol, ...body });

  test('sets both legs with their names in one call, in the place of those before, and is answered the same again', async () => {
    await hold('0.1');
    const first = await set({
      triggerProfitPrice: '120000',
      triggerStopPrice: '90000',
      profitClientOrderId: 'tp',
      stopClientOrderId: 'sl',
      key: 'one',
    });
    expect(first).toMatchObject({ code: 0, data: { profitId: expect.any(String) as string, stopId: expect.any(String) as string } });
    expect(
      await set({
        triggerProfitPrice: '120000',
        triggerStopPrice: '90000',
        profitClientOrderId: 'tp',
        stopClientOrderId: 'sl',
        key: 'one',
      }),
    ).toMatchObject({ code: 0, data: first.data });
    const second = await set({ triggerStopPrice: '91000', stopClientOrderId: 'sl2' });
    expect(second).toMatchObject({ code: 0, data: { profitId: null } });
    const { items } = await get('entrust/profit-list');
    expect(items).toMatchObject([
      { entrustType: 'STOP_MARKET', clientOrderId: 'sl2', triggerStopPrice: '91000', closePosition: true, origQty: null },
    ]);
  });

  test('is in the histories when it is over: with its trigger, its kind and why it ended', async () => {
    await hold('0.1');
    const { data } = await set({ triggerProfitPrice: '120000', triggerStopPrice: '90000' });
    await set({});
    const { profitId, stopId } = data as { profitId: string; stopId: string };
    const ended = { state: 'USER_REVOCATION', closeReason: 'replaced', groupId: profitId };
    expect((await get('entrust/profit-list-history')).items).toMatchObject([
      { profitId: stopId, entrustType: 'STOP_MARKET', triggerStopPrice: '90000', ...ended },
      { profitId, entrustType: 'TAKE_PROFIT_MARKET', triggerProfitPrice: '120000', ...ended },
    ]);
    expect((await get('order/list-history')).items.slice(0, 1)).toMatchObject([
      { orderId: stopId, entrustType: 'STOP_MARKET', stopPrice: '90000', closeReason: 'replaced' },
    ]);
  });

  test('with a leg on the wrong side changes nothing, and names it', async () => {
    await hold('0.1');
    expect(await set({ triggerProfitPrice: '120000', triggerStopPrice: '110000' })).toMatchObject({
      data: { reason: 'InvalidTrigger', field: 'triggerStopPrice' },
    });
    expect((await get('entrust/profit-list')).items).toEqual([]);
    expect(await set({ scope: 'WHOLE', triggerStopPrice: '90000', origQty: '0.05' })).toMatchObject({
      data: { reason: 'InvalidCombination', field: 'origQty' },
    });
  });

  test('of parts takes together no more than the position', async () => {
    await hold('0.1');
    expect(await set({ triggerStopPrice: '90000', origQty: '0.06' })).toMatchObject({ code: 0 });
    expect(await set({ triggerStopPrice: '90000', origQty: '0.07' })).toMatchObject({ code: 0 });
    expect(await set({ scope: 'FURTHER_PART', triggerStopPrice: '90000', origQty: '0.04' })).toMatchObject({
      data: { reason: 'ReduceOnlyRefused', field: 'origQty' },
    });
  });
});

describe('close-all', () => {
  const closeAll = (mode: string, key?: string) =>
    post('order/position/close-all', { contractType: 'PERPETUAL', mode, ...(key !== undefined && { key }) });

  test('in an empty book has another code than 0, says why, and leaves the stop', async () => {
    await hold('0.1');
    await post('entrust/set-protection', { symbol, triggerStopPrice: '90000' });
    const answer = await closeAll('MARKET', 'one');
    expect(answer).toMatchObject({
      code: 11_020,
      data: [
        {
          code: 14_020,
          msg: 'no bids',
          data: { symbol, positionSide: 'BOTH', positionSize: '0.1', closedQty: '0', leftQty: '0.1', reason: 'noLiquidity', orderId: null },
        },
      ],
    });
    expect((await get('entrust/profit-list')).items).toHaveLength(1);
    expect(await closeAll('MARKET', 'one')).toMatchObject({
      code: 11_020,
      data: [{ code: 14_020, data: { leftQty: '0.1', reason: null } }],
    });
  });

  test('has code 0 when nothing is left', async () => {
    await hold('0.1');
    await place({ orderSide: 'BUY', price: '99999', origQty: '0.1' }, venue.bob);
    expect(await closeAll('MARKET')).toMatchObject({
      code: 0,
      data: [{ code: 0, data: { closedQty: '0.1', leftQty: '0', reason: null } }],
    });
    expect(await closeAll('MARKET')).toMatchObject({ code: 0, data: [] });
  });
});

test('a stop that could not act says so in its list, and once by a site message', async () => {
  await hold('0.1');
  await post('entrust/set-protection', { symbol, triggerStopPrice: '95000', triggerPriceType: 'INDEX_PRICE' });
  const ear = await Ear.open(venue.base);
  await ear.subscribe({ sub: 'subUser', token: (await venue.get('/spot/v1/u/ws/token', { as: alice })).data as string });
  await setPrice(venue, { symbol, price: '95000', rounds: 2 });
  const { items } = await get('entrust/profit-list');
  expect(items).toMatchObject([{ state: 'NOT_TRIGGERED', stallReason: 'noLiquidity', triggerStopPrice: '95000' }]);
  const { data } = await ear.next('znxMessage');
  expect(data).toMatchObject({ title: 'BTC_USDC: your stop could not act', detailType: 'ORDER' });
  expect((data as { content: string }).content).toBe('No bids. It stands, and is tried again while its price is reached.');
  expect(ear.of('znxMessage')).toHaveLength(1);
  ear.close();
});
