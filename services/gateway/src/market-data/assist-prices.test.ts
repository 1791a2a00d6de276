import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AssistPrice } from '@orrery/api';
import { marketId, ticks } from '@orrery/units';
import { CONFIG, openVenue, type Venue } from '../testing/venue.ts';

const cny = { currency: 'cny', perUsd: '7.1', date: '2025-11-21', source: 'central parity' } as const;

let venue: Venue;
beforeAll(async () => {
  venue = await openVenue({ config: () => ({ ...CONFIG, currencyRates: [cny] }) });
});
afterAll(() => venue.close());

const pricesOf = async (coin: string): Promise<readonly AssistPrice[]> => {
  const { data } = await venue.get('/pro/p/assist-price');
  return (data as readonly AssistPrice[]).filter((price) => price.coin === coin);
};

test('[A10] each coin has its worth in dollars and in yuan, with the source and the age of the price', async () => {
  const at = `at 7.1 of 2025-11-21 (central parity)`;
  expect(await pricesOf('BTC')).toEqual([
    { coin: 'BTC', currency: 'usd', price: null, source: 'no price yet', ageMs: null },
    { coin: 'BTC', currency: 'cny', price: null, source: `no price yet, ${at}`, ageMs: null },
  ]);
  const { seq } = await venue.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: ticks(1_000_503) });
  await venue.get('/pro/u/asset/balance', { as: venue.alice, query: { minSeq: String(seq) } });
  venue.clock.now += 4_000;
  expect(await pricesOf('BTC')).toEqual([
    { coin: 'BTC', currency: 'usd', price: '100050.3', source: 'outside price', ageMs: 4_000 },
    { coin: 'BTC', currency: 'cny', price: '710357.13', source: `outside price, ${at}`, ageMs: 4_000 },
  ]);
  expect(await pricesOf('USDC')).toMatchObject([{ price: '1' }, { price: '7.1' }]);
  expect(await pricesOf('POINTS')).toEqual([]);
});
