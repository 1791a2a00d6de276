import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVenue, type Venue } from './testing/venue.ts';

let venue: Venue;
beforeAll(async () => (venue = await openVenue()));
afterAll(() => venue.close());

const buy = (price: string, totalAmount = '0.01', more = {}) =>
  ({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'LIMIT', price, totalAmount, ...more });

test('S2: an order is created, listed, shown in detail, and cancelled', async () => {
  const { alice } = venue;
  const created = await venue.post('/spot/v1/u/trade/order/create', { as: alice, body: buy('100000', '0.01', { clientOrderId: 'first' }) });
  expect(created).toMatchObject({ status: 200, code: 0, msg: 'success' });
  const minSeq = String(created.headers.get('x-orrery-seq'));
  const list = await venue.get('/spot/v1/u/trade/order/list', { as: alice, query: { symbol: 'BTC_USDC', page: '1', size: '10', state: '1', minSeq } });
  console.log(list.text, created.text);
  expect(list.data).toMatchObject({ page: 1, ps: 10, total: 1, items: [{ orderId: created.data, clientOrderId: 'first', state: 1, price: '100000', origQty: '0.01' }] });
});
