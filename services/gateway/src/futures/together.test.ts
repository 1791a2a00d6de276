import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';
import type { Person } from '../testing/people.ts';

const symbol = 'BTC_USDC';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  await giveMargin(venue, venue.bob, '10000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

test('orders in contracts are placed together, all or none', async () => {
  const { bob } = venue;
  const together = (as: Person, ...orders: object[]): Promise<Answer> =>
    venue.post('/futures/fapi/trade/v1/order/create-batch', {
      as,
      body: {
        orders: orders.map((order) => ({ symbol, orderType: 'LIMIT', orderSide: 'BUY', origQty: '0.01', ...order })),
        allOrNothing: true,
      },
    });
  const post = { timeInForce: 'GTX', price: '95000' };
  expect(await together(bob, post, { price: '94000', origQty: '5' })).toMatchObject({ code: 4003, data: { field: 'orders.1' } });
  expect(await together(bob, post, { price: '94000', triggerStopPrice: '94500' })).toMatchObject({
    data: { field: 'orders.1.triggerStopPrice' },
  });
  const placed = await together(bob, post, { ...post, price: '94000' });
  expect(placed).toMatchObject({ code: 0, data: [{ code: 0 }, { code: 0 }] });
});
