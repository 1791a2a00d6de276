/** A position is reversed as the exchange knows it, whatever the page that asked had seen. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import type { Person } from '../testing/people.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const trade = '/futures/fapi/trade/v1';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '100000');
  await setPrice(venue, { symbol: 'BTC_USDC', price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const place = (as: Person, orderSide: 'BUY' | 'SELL', origQty: string): Promise<Answer> =>
  venue.post(`${trade}/order/create`, { as, body: { symbol: 'BTC_USDC', orderType: 'LIMIT', price: '100000', orderSide, origQty } });

const reverse = (from: 'LONG' | 'SHORT', clientOrderId: string): Promise<Answer> =>
  venue.post(`${trade}/order/position/reverse`, { as: venue.alice, body: { symbol: 'BTC_USDC', from, clientOrderId } });

async function sizeAfter({ headers }: Answer): Promise<unknown> {
  const minSeq = String(headers.get('x-orrery-seq'));
  const { data } = await venue.get('/futures/fapi/user/v1/position/list', { as: venue.alice, query: { minSeq, symbol: 'BTC_USDC' } });
  return (data as { positionSize: string }[]).map(({ positionSize }) => positionSize);
}

test('[F3] the whole position turns, also what was added after it was looked at', async () => {
  await place(venue.bob, 'SELL', '0.3');
  await place(venue.alice, 'BUY', '0.2');
  // Seen with 0.2; then the rest comes.
  await place(venue.alice, 'BUY', '0.1');
  await place(venue.bob, 'BUY', '5');
  const reversed = await reverse('LONG', 'turn-1');
  expect(reversed.data).toMatchObject({ positionQty: '0.3', origQty: '0.6' });
  expect(await sizeAfter(reversed)).toEqual(['-0.3']);
});

test('[F3] sent again, under its id or another, it does not turn back', async () => {
  await place(venue.bob, 'SELL', '5');
  expect(await reverse('LONG', 'turn-1')).toMatchObject({ status: 200, data: { positionQty: null, origQty: null } });
  expect(await reverse('LONG', 'turn-2')).toMatchObject({ status: 404, data: { reason: 'UnknownPosition', field: 'from' } });
  expect(await sizeAfter(await place(venue.bob, 'SELL', '0.01'))).toEqual(['-0.3']);
});

test('[F3] without a position there is nothing to reverse', async () => {
  const body = { symbol: 'ETH_USDC', from: 'LONG' };
  expect(await venue.post(`${trade}/order/position/reverse`, { as: venue.alice, body })).toMatchObject({ status: 404 });
});
