/** A refusal of a number beyond another one says both, in the coin that they count, on spot and on contracts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveMargin, setPrice } from '../testing/contract-floor.ts';
import { openVenue, type Answer, type Venue } from '../testing/venue.ts';

const symbol = 'BTC_USDC';

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue();
  for (const person of [venue.alice, venue.bob]) await giveMargin(venue, person, '10000');
  await setPrice(venue, { symbol, price: '100000', rounds: 3 });
});
afterAll(() => venue.close());

const contract = (body: object): Promise<Answer> =>
  venue.post('/futures/fapi/trade/v1/order/create', { as: venue.alice, body: { symbol, orderType: 'LIMIT', ...body } });
const spot = (body: object): Promise<Answer> =>
  venue.post('/spot/v1/u/trade/order/create', { as: venue.alice, body: { symbol, direction: 'BUY', tradeType: 'LIMIT', ...body } });

interface Figures {
  readonly asked: string;
  readonly limit: string;
  readonly unit: string;
}
const figuresOf = ({ data }: Answer): Figures => {
  const { figures }: { readonly figures: Figures } = data;
  return figures;
};

test('money and margin that are short', async () => {
  const { limit, ...margin } = figuresOf(await contract({ orderSide: 'BUY', price: '100000', origQty: '5' }));
  expect([limit, margin.unit]).toEqual(['10000', 'USDC']);
  // At leverage 20 or less 500,000 of value need 25,000 and a fee.
  expect(Number(margin.asked)).toBeGreaterThan(25_000);
  let balance = await spot({ price: '100000', totalAmount: '1.9' });
  for (let more = 0; balance.code === 0 && more < 20; more += 1) balance = await spot({ price: '100000', totalAmount: '1.9' });
  expect(balance).toMatchObject({ code: 4001, data: { reason: 'InsufficientBalance', figures: { asked: '190000', unit: 'USDC' } } });
  expect(Number(figuresOf(balance).limit)).toBeLessThan(190_000);
});

test('what may be closed, and leverage', async () => {
  await venue.post('/futures/fapi/trade/v1/order/create', {
    as: venue.bob,
    body: { symbol, orderType: 'LIMIT', orderSide: 'SELL', price: '100000', origQty: '0.1' },
  });
  await contract({ orderSide: 'BUY', price: '100000', origQty: '0.1' });
  const leverage = await venue.post('/futures/fapi/user/v1/position/adjust-leverage', {
    as: venue.alice,
    body: { symbol, leverage: 1_000 },
  });
  expect(leverage).toMatchObject({ data: { reason: 'InvalidLeverage', figures: { asked: '1000', unit: '' } } });
});

test('a price beyond its band is said with its bound, which is taken', async () => {
  const refused = await contract({ orderSide: 'BUY', price: '190000', origQty: '0.001' });
  expect(refused).toMatchObject({ data: { reason: 'PriceOutOfBand', field: 'price', figures: { asked: '190000', unit: 'USDC' } } });
  expect(await contract({ orderSide: 'BUY', price: figuresOf(refused).limit, origQty: '0.001' })).toMatchObject({ code: 0 });
});

test('other refusals have none', async () => {
  expect((await contract({ orderSide: 'BUY', price: '90000', origQty: '0.001', reduceOnly: true })).data).toEqual({
    reason: 'ReduceOnlyRefused',
    field: 'reduceOnly',
    requestId: expect.any(String),
  });
});
