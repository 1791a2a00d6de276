/** Take-profits, trailing stops, pairs and protected purchases as callers see them, with the real engine behind the calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '@orrery/api';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';
import type { Person } from '../testing/people.ts';

let venue: Venue;
let carol: Person;
beforeAll(async () => {
  venue = await openVenue();
  carol = await venue.newcomer('carol');
  await create(venue.alice, { direction: 'SELL', tradeType: 'LIMIT', price: '100000' });
  await create(venue.bob, { direction: 'BUY', tradeType: 'LIMIT', price: '100000' });
});
afterAll(() => venue.close());

const PATH = '/spot/v1/u/trade/order';
const create = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${PATH}/create`, { as, body: { symbol: 'BTC_USDC', totalAmount: '0.01', ...body } });
const pair = (as: Person, body: object): Promise<Answer> =>
  venue.post(`${PATH}/oco`, { as, body: { symbol: 'BTC_USDC', direction: 'SELL', totalAmount: '0.01', ...body } });
const seqOf = (answer: Answer): string => String(answer.headers.get('x-orrery-seq'));
const detail = async (as: Person, orderId: string, after: Answer): Promise<Order> =>
  (await venue.get(`${PATH}/detail`, { as, query: { orderId, minSeq: seqOf(after) } })).data;
async function openOf(as: Person, after: Answer): Promise<readonly Order[]> {
  const { items }: { items: Order[] } = (await venue.get(`${PATH}/list`, { as, query: { minSeq: seqOf(after), size: '100' } })).data;
  return items;
}
function refusal(answer: Answer): string {
  const { reason, field }: { reason: string; field: string } = answer.data;
  return `${reason} ${field}`;
}

interface PairIds {
  readonly groupId: string;
  readonly above: string;
  readonly below: string;
}

describe('orders with terms of their own', () => {
  test('a take-profit and a trailing stop are shown with what they wait for', async () => {
    const profit = await create(carol, { direction: 'SELL', tradeType: 'TAKE_PROFIT_LIMIT', stopPrice: '101000', price: '100900' });
    expect(await detail(carol, profit.data, profit)).toMatchObject({
      orderType: 'TAKE_PROFIT_LIMIT',
      stopPrice: '101000',
      price: '100900',
      state: 5,
      callbackRate: null,
      activated: null,
      groupId: null,
      parentId: null,
      stallReason: null,
    });
    const trailing = { direction: 'SELL', tradeType: 'TRAILING_STOP_MARKET', callbackRate: '0.01' };
    const follows = await create(carol, trailing);
    expect(await detail(carol, follows.data, follows)).toMatchObject({
      orderType: 'TRAILING_STOP_MARKET',
      stopPrice: null,
      callbackRate: '0.01',
      activationPrice: null,
      activated: true,
    });
    const waits = await create(carol, { ...trailing, activationPrice: '102000' });
    expect(await detail(carol, waits.data, waits)).toMatchObject({ activationPrice: '102000', activated: false });
    const ended = await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} });
    expect(ended.data).toEqual([profit.data, follows.data, waits.data]);
    const { items }: { items: Order[] } = (await venue.get(`${PATH}/history`, { as: carol, query: { minSeq: seqOf(ended) } })).data;
    expect(items.map(({ orderType, callbackRate }) => [orderType, callbackRate])).toEqual([
      ['TRAILING_STOP_MARKET', '0.01'],
      ['TRAILING_STOP_MARKET', '0.01'],
      ['TAKE_PROFIT_LIMIT', null],
    ]);
  });

  test('a pair is one call: two rows of one group, and a refusal that names its leg', async () => {
    const [above, below] = [
      { tradeType: 'LIMIT', price: '101000', clientOrderId: 'up' },
      { tradeType: 'STOP_MARKET', stopPrice: '99000', clientOrderId: 'down' },
    ];
    const placed = await pair(carol, { above, below });
    const ids: PairIds = placed.data;
    expect(placed).toMatchObject({ status: 200, code: 0, data: { groupId: ids.above } });
    expect(await pair(carol, { above, below })).toMatchObject({ code: 0, data: ids });
    expect(await openOf(carol, placed)).toMatchObject([
      { orderId: ids.below, orderType: 'STOP_MARKET', groupId: ids.groupId, state: 5, clientOrderId: 'down' },
      { orderId: ids.above, orderType: 'LIMIT', groupId: ids.groupId, state: 1, clientOrderId: 'up' },
    ]);
    const amendment = { as: carol, body: { orderId: ids.above, price: '101500' } };
    expect(await venue.post(`${PATH}/update`, amendment)).toMatchObject({ code: 3047, data: { reason: 'OrderOfPair', field: 'orderId' } });
    const ended = await venue.post(`${PATH}/cancel`, { as: carol, body: { clientOrderId: 'down' } });
    expect(await openOf(carol, ended)).toEqual([]);
    expect(await detail(carol, ids.above, ended)).toMatchObject({ closeReason: 'groupClosed', groupId: ids.groupId });
    const none = { clientOrderId: undefined };
    expect(refusal(await pair(carol, { above: { ...above, price: '99000', ...none }, below: { ...below, ...none } }))).toBe(
      'InvalidCombination below.stopPrice',
    );
    expect(refusal(await pair(carol, { above: { ...above, price: '101000.001', ...none }, below: { ...below, ...none } }))).toBe(
      'MalformedField above.price',
    );
    expect(refusal(await pair(carol, { above: { tradeType: 'LIMIT' }, below }))).toBe('MissingField above.price');
    expect(refusal(await pair(carol, { above, below: { tradeType: 'STOP_MARKET', stopPrice: '100500' } }))).toBe(
      'InvalidTrigger below.stopPrice',
    );
    expect(refusal(await pair(carol, { above: below, below: above }))).toBe('InvalidCombination above.tradeType');
    expect(refusal(await pair(carol, { direction: 'BUY', above, below }))).toBe('InvalidCombination above.tradeType');
  });

  test('what an entry buys shows as a pair of its own, with its entry', async () => {
    const terms = { triggerProfitPrice: '110000', triggerStopPrice: '90000', lossPrice: '89000' };
    const entry = await create(carol, { direction: 'BUY', tradeType: 'LIMIT', price: '99000', totalAmount: '0.02', ...terms });
    expect(await detail(carol, entry.data, entry)).toMatchObject({ ...terms, profitPrice: null, state: 1 });
    const taken = await create(venue.bob, { direction: 'SELL', tradeType: 'LIMIT', price: '99000' });
    const rows = (await openOf(carol, taken)).filter(({ parentId }) => parentId === entry.data);
    const size = '0.00999';
    expect(rows).toMatchObject([
      { orderType: 'STOP_LIMIT', stopPrice: '90000', price: '89000', origQty: size, orderSide: 'SELL' },
      { orderType: 'TAKE_PROFIT_MARKET', stopPrice: '110000', price: null, origQty: size },
    ]);
    expect(rows[0]?.groupId).toBe(rows[1]?.orderId);
    const more = await create(venue.bob, { direction: 'SELL', tradeType: 'LIMIT', price: '99000' });
    // Twice 0.01 less a fee of 0.05 %: what is less than a lot of each adds up.
    const grown = (await openOf(carol, more)).filter(({ parentId }) => parentId === entry.data);
    expect(grown.map(({ origQty }) => origQty)).toEqual(['0.01999', '0.01999']);
    await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} });
  });

  test('an amendment that fills what somebody protects is answered by its own order', async () => {
    const entry = { direction: 'BUY', tradeType: 'LIMIT', price: '99000', triggerStopPrice: '90000' };
    await create(carol, entry);
    const sell = await create(venue.bob, { direction: 'SELL', tradeType: 'LIMIT', price: '99500' });
    const amended = await venue.post(`${PATH}/update`, { as: venue.bob, body: { orderId: sell.data, price: '99000' } });
    expect(amended.data).toBe(sell.data);
    expect(await openOf(carol, amended)).toMatchObject([{ orderType: 'STOP_MARKET', stopPrice: '90000' }]);
    await venue.post(`${PATH}/cancel-all`, { as: carol, body: {} });
  });

  test.each([
    [{ direction: 'SELL', tradeType: 'TRAILING_STOP_MARKET' }, 'MissingField callbackRate'],
    [{ direction: 'SELL', tradeType: 'TRAILING_STOP_MARKET', callbackRate: '0.0015' }, 'InvalidField callbackRate'],
    [{ direction: 'SELL', tradeType: 'TRAILING_STOP_MARKET', callbackRate: '0.01', stopPrice: '99000' }, 'InvalidCombination stopPrice'],
    [{ direction: 'SELL', tradeType: 'LIMIT', price: '101000', callbackRate: '0.01' }, 'InvalidCombination callbackRate'],
    [{ direction: 'SELL', tradeType: 'LIMIT', price: '101000', activationPrice: '101000' }, 'InvalidCombination activationPrice'],
    [{ direction: 'SELL', tradeType: 'TAKE_PROFIT_MARKET', stopPrice: '90000' }, 'InvalidTrigger stopPrice'],
    [{ direction: 'SELL', tradeType: 'LIMIT', price: '101000', triggerProfitPrice: '110000' }, 'InvalidCombination triggerProfitPrice'],
    [{ direction: 'BUY', tradeType: 'LIMIT', price: '99000', triggerProfitPrice: '98000' }, 'InvalidTrigger triggerProfitPrice'],
    [{ direction: 'BUY', tradeType: 'LIMIT', price: '99000', triggerStopPrice: '99500' }, 'InvalidTrigger triggerStopPrice'],
    [{ direction: 'BUY', tradeType: 'LIMIT', price: '99000', profitPrice: '99500' }, 'MissingField triggerProfitPrice'],
  ])('%j is refused: %s', async (body, reason) => {
    expect(refusal(await create(carol, body))).toBe(reason);
  });
});
