import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '@orrery/api';
import { marketId } from '@orrery/units';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';
import type { Person } from '../testing/people.ts';

let venue: Venue;
let carol: Person;
beforeAll(async () => {
  venue = await openVenue();
  carol = await venue.newcomer('carol');
});
afterAll(() => venue.close());

const PATH = '/spot/v1/u/trade/order';
const limit = (direction: 'BUY' | 'SELL', price: string, more: object = {}) => ({
  symbol: 'BTC_USDC',
  direction,
  tradeType: 'LIMIT',
  price,
  totalAmount: '0.01',
  ...more,
});
const create = (as: Person, body: object): Promise<Answer> => venue.post(`${PATH}/create`, { as, body });
const detail = async (as: Person, orderId: string, minSeq?: string | null): Promise<Order> =>
  (await venue.get(`${PATH}/detail`, { as, query: { orderId, ...(minSeq ? { minSeq } : {}) } })).data;
const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));

describe('the life of an order', () => {
  test('[S2] R9: created, listed with its page and state, shown in detail, amended, cancelled, and then history', async () => {
    const created = await create(carol, limit('BUY', '100000', { clientOrderId: 'first' }));
    expect(created).toMatchObject({ status: 200, code: 0, msg: 'success', data: expect.stringMatching(/^[1-9]\d*$/) });
    const list = await venue.get(`${PATH}/list`, {
      as: carol,
      query: { symbol: 'BTC_USDC', page: '1', size: '10', state: '1', minSeq: seqOf(created) },
    });
    const line = {
      orderId: created.data,
      clientOrderId: 'first',
      state: 1,
      price: '100000',
      origQty: '0.01',
      dealQty: '0',
      executedQty: '0',
      avgPrice: null,
    };
    expect(list.data).toMatchObject({ page: 1, ps: 10, total: 1, items: [line] });
    const amended = await venue.post(`${PATH}/update`, { as: carol, body: { orderId: created.data, price: '99000' } });
    expect(amended).toMatchObject({ status: 200, code: 0, data: created.data });
    expect(await detail(carol, amended.data, seqOf(amended))).toMatchObject({ price: '99000', state: 1, clientOrderId: 'first' });
    const cancelled = await venue.post(`${PATH}/cancel`, { as: carol, body: { orderId: amended.data } });
    expect(cancelled.data).toBe(amended.data);
    const history = await venue.get(`${PATH}/history`, { as: carol, query: { limit: '10', minSeq: seqOf(cancelled) } });
    expect(history.data).toMatchObject({
      total: 1,
      items: [{ orderId: amended.data, price: '99000', state: 4, closeReason: 'canceledByAccount' }],
    });
    expect(await venue.post(`${PATH}/cancel`, { as: carol, body: { orderId: amended.data } })).toMatchObject({ status: 404, code: 2004 });
  });

  test('O7: an amendment that comes again is answered as before, also when the order is over, and is not made twice', async () => {
    const created = await create(carol, limit('BUY', '100000'));
    const amendment = { as: carol, body: { orderId: created.data, clientOrderId: 'amended-once', price: '99000' } };
    const amended = await venue.post(`${PATH}/update`, amendment);
    expect(amended).toMatchObject({ status: 200, code: 0 });
    expect(await venue.post(`${PATH}/update`, amendment)).toMatchObject({ status: 200, data: amended.data });
    await venue.post(`${PATH}/cancel`, { as: carol, body: { orderId: amended.data } });
    expect(await venue.post(`${PATH}/update`, amendment)).toMatchObject({ status: 200, data: amended.data });
    const other = { as: carol, body: { ...amendment.body, clientOrderId: 'another-name' } };
    expect(await venue.post(`${PATH}/update`, other)).toMatchObject({ status: 404, code: 2004 });
  });

  test('an amended size is that of the whole order: what is filled of it is taken off, and an order that is filled to it ends', async () => {
    const buy = await create(carol, limit('BUY', '99000', { totalAmount: '0.05' }));
    await create(venue.alice, limit('SELL', '99000', { totalAmount: '0.03' }));
    const update = async (totalAmount: string) => venue.post(`${PATH}/update`, { as: carol, body: { orderId: buy.data, totalAmount } });
    const amended = await update('0.04');
    expect(amended).toMatchObject({ status: 200, data: buy.data });
    expect(await detail(carol, buy.data, seqOf(amended))).toMatchObject({ origQty: '0.04', executedQty: '0.03', state: 2 });
    const ended = await update('0.03');
    expect(ended).toMatchObject({ status: 200, data: buy.data });
    expect(await detail(carol, buy.data, seqOf(ended))).toMatchObject({ executedQty: '0.03', state: 4, closeReason: 'amendedToFilled' });
  });

  test('[S2] a fill is reported with its price, fee and fee coin to both sides', async () => {
    const maker = await create(venue.alice, limit('SELL', '100500', { totalAmount: '0.5' }));
    const taker = await create(venue.bob, { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', funds: '10050' });
    const deals = await venue.get(`${PATH}/deal`, { as: venue.bob, query: { orderId: taker.data, minSeq: seqOf(taker) } });
    expect(deals.data).toMatchObject({
      total: 1,
      items: [
        {
          orderId: taker.data,
          price: '100500',
          quantity: '0.1',
          value: '10050',
          fee: '0.0001',
          feeCoin: 'BTC',
          orderSide: 'BUY',
          takerMaker: 'TAKER',
        },
      ],
    });
    expect(await detail(venue.alice, maker.data, seqOf(taker))).toMatchObject({
      state: 2,
      executedQty: '0.1',
      avgPrice: '100500',
      executedValue: '10050',
    });
    expect(await detail(venue.bob, taker.data)).toMatchObject({ state: 3, closeReason: 'filled', funds: '10050', origQty: null });
    await venue.post(`${PATH}/cancel-all`, { as: venue.alice, body: {} });
  });

  test('the same client order id again answers the same order; with another body it conflicts', async () => {
    const first = await create(carol, limit('BUY', '98000', { clientOrderId: 'again' }));
    const second = await create(carol, limit('BUY', '98000', { clientOrderId: 'again' }));
    expect(second).toMatchObject({ code: 0, data: first.data });
    expect(await create(carol, limit('BUY', '98001', { clientOrderId: 'again' }))).toMatchObject({ status: 409, code: 3007 });
    const byOwnId = await venue.get(`${PATH}/detail`, { as: carol, query: { clientOrderId: 'again' } });
    expect(byOwnId.data).toMatchObject({ orderId: first.data });
    expect((await venue.post(`${PATH}/cancel`, { as: carol, body: { clientOrderId: 'again' } })).data).toBe(first.data);
  });

  test('a batch that is all or nothing is one step: a refusal names its item, and nothing is placed or cancelled', async () => {
    const gtx = { timeInForce: 'GTX' };
    const place = (...orders: object[]) => venue.post(`${PATH}/batch/create`, { as: carol, body: { orders, allOrNothing: true } });
    const open = async (): Promise<number> =>
      ((await venue.get(`${PATH}/list`, { as: carol, query: { minSeq: String(venue.heart.history.length) } })).data as { total: number })
        .total;
    const before = await open();
    const low = limit('BUY', '97000', gtx);
    expect(await place(low, limit('BUY', '0.1'))).toMatchObject({ status: 400, code: 1004, data: { field: 'orders.1.totalAmount' } });
    expect(await place(low, limit('BUY', '97000.123'))).toMatchObject({ code: 11_002, data: { field: 'orders.1.price' } });
    expect(await place(limit('BUY', '97000'), low)).toMatchObject({ code: 1006, data: { field: 'orders.0.timeInForce' } });
    expect(await open()).toBe(before);
    const placed = await place(low, limit('BUY', '96000'));
    expect(placed).toMatchObject({ status: 200, code: 0, data: [{ code: 0 }, { code: 0 }] });
    expect(await open()).toBe(before + 2);
    const ids = (placed.data as { data: string }[]).map(({ data }) => data);
    const cancel = (...orderIds: string[]) => venue.post(`${PATH}/batch/cancel`, { as: carol, body: { orderIds, allOrNothing: true } });
    expect(await cancel(...ids, '999999')).toMatchObject({ status: 404, code: 2004, data: { field: 'orderIds.2' } });
    expect(await open()).toBe(before + 2);
    expect(await cancel(...ids)).toMatchObject({ status: 200, code: 0, data: ids.map((data) => ({ code: 0, data })) });
    expect(await open()).toBe(before);
  });

  test('a batch is answered item by item; cancel-all takes one market or all', async () => {
    const orders = [limit('BUY', '97000'), limit('BUY', '0.1'), limit('BUY', '97000.123'), { ...limit('BUY', '97001'), symbol: 'NO_SUCH' }];
    const batch = await venue.post(`${PATH}/batch/create`, { as: carol, body: { orders } });
    // Not every item was taken, and the answer as a whole says so.
    expect(batch).toMatchObject({ status: 200, code: 11_020, msg: expect.stringContaining('items were refused') });
    expect(batch.data).toMatchObject([
      { code: 0 },
      { code: 1004, data: null },
      { code: 11_002, msg: expect.stringContaining('price') },
      { code: 2002, data: null },
    ]);
    const text = await venue.post(`${PATH}/batch/create`, { as: carol, body: { ordersJsonStr: JSON.stringify([limit('BUY', '97002')]) } });
    expect(text).toMatchObject({ status: 200, code: 0 });
    const ids = [...(batch.data as { data: string | null }[]), ...(text.data as { data: string | null }[])].flatMap(
      ({ data }) => data ?? [],
    );
    expect(ids).toHaveLength(2);
    const cancelled = await venue.post(`${PATH}/batch/cancel`, {
      as: carol,
      body: { orderIdsJson: JSON.stringify([Number(ids[0]), '999999']) },
    });
    expect(cancelled.data).toEqual([ids[0]]);
    const again = await venue.post(`${PATH}/batch/cancel`, { as: carol, body: { orderIds: [ids[0], '999999'] } });
    expect(again).toMatchObject({ status: 200, code: 11_020, msg: '2 of 2 items were refused: see the code of each' });
    expect(again.data).toMatchObject([
      { code: 2004, data: null },
      { code: 2004, data: null },
    ]);
    expect((await venue.post(`${PATH}/cancel-all`, { as: carol, body: { symbol: 'ETH_USDC' } })).data).toEqual([]);
    expect((await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} })).data).toEqual([ids[1]]);
  });

  test('a stop order waits under state 5', async () => {
    await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: 1_005_000 as never });
    const stop = await create(carol, {
      symbol: 'BTC_USDC',
      direction: 'SELL',
      tradeType: 'STOP_LIMIT',
      price: '96000',
      stopPrice: '96500',
      totalAmount: '0.01',
    });
    expect(stop.code).toBe(0);
    const waiting = await venue.get(`${PATH}/list`, { as: carol, query: { state: '5', minSeq: seqOf(stop) } });
    expect(waiting.data).toMatchObject({
      total: 1,
      items: [{ orderId: stop.data, orderType: 'STOP_LIMIT', stopPrice: '96500', state: 5 }],
    });
    await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} });
  });

  test("another account's order is as unknown as one that never was", async () => {
    const own = await create(carol, limit('BUY', '95000'));
    for (const orderId of [own.data as string, '999999']) {
      expect(await venue.get(`${PATH}/detail`, { as: venue.bob, query: { orderId } })).toMatchObject({ status: 404, code: 2004 });
      expect(await venue.post(`${PATH}/cancel`, { as: venue.bob, body: { orderId } })).toMatchObject({ status: 404, code: 2004 });
      expect(await venue.post(`${PATH}/update`, { as: venue.bob, body: { orderId, price: '95001' } })).toMatchObject({
        status: 404,
        code: 2004,
      });
    }
    await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} });
  });
});

describe('an error names its cause', () => {
  test.each([
    [{}, 11_003, 'symbol'],
    [limit('BUY', '100000', { price: undefined }), 11_003, 'price'],
    [limit('BUY', '100000', { totalAmount: undefined }), 11_003, 'totalAmount'],
    [limit('BUY', '100000', { tradeType: 'STOP_LIMIT' }), 11_003, 'stopPrice'],
    [limit('BUY', '100000.01'), 11_002, 'price'],
    [limit('BUY', '0'), 11_002, 'price'],
    [limit('BUY', '100000', { totalAmount: '0.000001' }), 11_002, 'totalAmount'],
    [limit('BUY', '1e5'), 11_002, 'price'],
    [limit('BUY', '+1'), 11_002, 'price'],
    [limit('BUY', '-1'), 11_002, 'price'],
    [{ ...limit('BUY', '1'), price: 100_000 }, 11_002, 'price'],
    [{ ...limit('BUY', '1'), direction: 'buy' }, 11_002, 'direction'],
    [limit('BUY', '100000', { clientOrderId: 'with space' }), 11_002, 'clientOrderId'],
    [limit('BUY', '100000', { account: 1 }), 11_004, 'account'],
    [limit('BUY', '100000', { symbol: 'NO_SUCH' }), 2002, 'symbol'],
    [limit('BUY', '100000', { slippage: '2' }), 11_002, 'slippage'],
    [limit('BUY', '100000', { totalAmount: '0.00001' }), 1004, ''],
    [limit('BUY', '100000', { totalAmount: '5' }), 0, ''],
  ])('%j', async (body, code, field) => {
    const answer = await create(venue.alice, body);
    expect(answer.code).toBe(code);
    if (code === 0) return;
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    if (field !== '')
      expect(answer).toMatchObject({
        data: { field },
        msg: expect.stringMatching(new RegExp(field === 'symbol' && code === 2002 ? 'market' : field)),
      });
  });

  test('[L1, L6] an account that may not trade gets the reason, and not 401 or 403', async () => {
    const dora = await venue.newcomer('dora');
    for (const [flag, code] of [
      ['connected', 3004],
      ['whitelisted', 3003],
      ['termsAccepted', 3002],
    ] as const) {
      await venue.heart.submit({ type: 'SetAccountFlag', account: dora.account, flag, value: false });
      expect(await create(dora, limit('BUY', '100000'))).toMatchObject({ status: 409, code });
    }
    await venue.heart.submit({ type: 'SetAccountFlag', account: dora.account, flag: 'blocked', value: true });
    expect(await create(dora, limit('BUY', '100000'))).toMatchObject({ status: 403 });
  });
});
