/** What counts of a price or an amount is its value: the old client writes every price with two decimals and every size with four. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { marketId } from '@orrery/units';
import { Ear } from '../testing/ear.ts';
import { GOOD_SIGNATURE } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const PATH = '/spot/v1/u/trade/order';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: 1_046_890 as never });
});
afterAll(() => venue.close());

/** BTC_USDC: prices have one decimal, sizes five. */
const order = { symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '104689.00', totalAmount: '0.0010' };
const post = (action: string, body: unknown) => venue.post(`${PATH}/${action}`, { as: venue.alice, body });
const shown = async (orderId: string) => (await venue.get(`${PATH}/detail`, { as: venue.alice, query: { orderId } })).data;

test('a price and a size with trailing zeros are the same as without', async () => {
  const created = await post('create', order);
  expect(created).toMatchObject({ status: 200, code: 0 });
  expect(await shown(created.data)).toMatchObject({ price: '104689', origQty: '0.001' });
  const parameters = await venue.post(`${PATH}/create`, { as: venue.alice, query: order });
  expect(parameters).toMatchObject({ status: 200, code: 0 });
  await post('cancel-all', {});
});

test('the same client order id with the value written in another way is the same order', async () => {
  const first = await post('create', { ...order, clientOrderId: 'zeros' });
  const again = await post('create', { ...order, price: '104689.0', totalAmount: '0.001', clientOrderId: 'zeros' });
  expect(again).toMatchObject({ code: 0, data: first.data });
  const amended = await post('update', { orderId: first.data, price: '104000.00', totalAmount: '0.0020' });
  expect(amended.code).toBe(0);
  expect(await shown(amended.data)).toMatchObject({ price: '104000', origQty: '0.002' });
  await post('cancel-all', {});
});

test('trailing zeros are taken in a batch, as text and as an array, and in stop and market orders', async () => {
  const text = await venue.post(`${PATH}/batch/create`, { as: venue.alice, query: { ordersJsonStr: JSON.stringify([order, order]) } });
  expect(text.data).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect((await post('batch/create', { orders: [order] })).data).toMatchObject([{ code: 0 }]);
  await post('cancel-all', {});
  const stop = { ...order, tradeType: 'STOP_LIMIT', price: '106000.00', stopPrice: '105500.00' };
  expect(await post('create', stop)).toMatchObject({ code: 0 });
  await post('cancel-all', {});
  const maker = { ...order, direction: 'SELL', price: '104700.00' };
  await venue.post(`${PATH}/create`, { as: venue.bob, body: maker });
  expect(await post('create', { ...order, tradeType: 'MARKET', price: '104700.00', slippage: '0.0100' })).toMatchObject({ code: 0 });
  await venue.post(`${PATH}/create`, { as: venue.bob, body: maker });
  const { totalAmount: _, price: __, ...market } = order;
  expect(await post('create', { ...market, tradeType: 'MARKET', funds: '50.00000000' })).toMatchObject({ code: 0 });
  await venue.post(`${PATH}/cancel-all`, { as: venue.bob, body: {} });
});

test('a price with a market order is the worst price at which it may fill, on the grid like any other', async () => {
  await venue.post(`${PATH}/create`, { as: venue.bob, body: { ...order, direction: 'SELL', price: '104700.00' } });
  const bounded = await post('create', { ...order, tradeType: 'MARKET', price: '104699.90' });
  expect(bounded.code).toBe(0);
  expect(await shown(bounded.data)).toMatchObject({ state: 4, executedQty: '0' });
  expect(await post('create', { ...order, tradeType: 'MARKET', price: '104699.95' })).toMatchObject({
    status: 400,
    code: 11_002,
    data: { field: 'price' },
  });
  await venue.post(`${PATH}/cancel-all`, { as: venue.bob, body: {} });
});

test('trailing zeros are taken in orders over the stream', async () => {
  const ear = await Ear.open(venue.base);
  const token: string = (await venue.get('/spot/v1/u/ws/token', { as: venue.alice })).data;
  ear.say({ op: 'login', id: 1, params: { token } });
  ear.say({ op: 'order.create', id: 2, params: order });
  const created = await ear.next('reply', ({ id }) => id === 2);
  expect(created.code).toBe(0);
  ear.say({ op: 'order.update', id: 3, params: { orderId: created.data, price: '104000.00' } });
  expect((await ear.next('reply', ({ id }) => id === 3)).code).toBe(0);
  ear.say({ op: 'order.create', id: 4, params: { ...order, price: '104689.01' } });
  expect(await ear.next('reply', ({ id }) => id === 4)).toMatchObject({ code: 11_002, data: { field: 'price' } });
  ear.close();
  await post('cancel-all', {});
});

test('trailing zeros are taken in transfers, withdrawals and the step of a merged depth', async () => {
  const transfer = { coin: 'USDC', amount: '100.50000000', from: 'funding', to: 'spot' };
  expect(await venue.post('/pro/u/asset/transfer', { as: venue.alice, body: transfer })).toMatchObject({ code: 0 });
  const withdrawal = {
    withdrawalId: `0x${'cd'.repeat(32)}`,
    coin: 'USDC',
    amount: '10.0000000',
    to: venue.alice.address,
    nonce: 'noncenonce',
    signature: GOOD_SIGNATURE,
    message: 'message',
  };
  expect(await venue.post('/pro/u/asset/withdraw', { as: venue.alice, body: withdrawal })).toMatchObject({ code: 0 });
  expect(await venue.get('/pro/p/quotation/depth', { query: { symbol: 'BTC_USDC', merge: '10.00' } })).toMatchObject({ code: 0 });
});

test.each([
  ['a second significant decimal', { price: '104689.01' }, 'price'],
  ['a significant decimal behind zeros', { price: '104689.0000001' }, 'price'],
  ['a sixth significant decimal of a size', { totalAmount: '0.0010001' }, 'totalAmount'],
  ['an exponent', { price: '1.0e5' }, 'price'],
  ['a sign', { price: '+104689.00' }, 'price'],
  ['a point without decimals', { price: '104689.' }, 'price'],
  ['39 digits', { price: `104689.${'0'.repeat(33)}` }, 'price'],
])('%s is refused with the name of the field', async (_what, changes, field) => {
  expect(await post('create', { ...order, ...changes })).toMatchObject({ status: 400, code: 11_002, data: { field } });
});
