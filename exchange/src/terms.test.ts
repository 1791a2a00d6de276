/** What a client makes of each listing that the exchange answers is what the engine goes by. */
import { contractTerms, createClient, pairTerms } from '@orrery/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVenue, type Venue } from '../../services/gateway/src/testing/venue.ts';
import { ASSETS, CONTRACTS, MARKETS, PRACTICE_ASSET, PRACTICE_CONTRACTS } from './listing.ts';

let venue: Venue;

beforeAll(async () => {
  venue = await openVenue();
});
afterAll(() => venue.close());

const client = () => createClient({ baseUrl: venue.base });

test('the terms of every pair', async () => {
  const [symbols, coins] = [await client().symbols(), await client().coins()];
  expect(symbols.length).toBe(MARKETS.length);
  for (const market of MARKETS) {
    const info = symbols.find(({ symbol }) => symbol === market.symbol);
    const [base, quote] = [market.base, market.quote].map((id) => ASSETS.find(({ asset }) => asset === id));
    const { market: _, ...terms } = market;
    expect(info && pairTerms(info, coins)).toEqual({
      ...terms,
      base: base?.code,
      quote: quote?.code,
      baseDecimals: base?.decimals,
      quoteDecimals: quote?.decimals,
    });
  }
});

test('the terms of every contract', async () => {
  const listed = await client().futuresSymbols();
  expect(listed.length).toBe(CONTRACTS.length + PRACTICE_CONTRACTS.length);
  for (const contract of [...CONTRACTS, ...PRACTICE_CONTRACTS]) {
    const info = listed.find(({ symbol }) => symbol === contract.symbol);
    if (info === undefined) throw new Error(`${contract.symbol} is not listed`);
    const { settleDecimals, underlyingType: _, maxLeverage, ...terms } = contractTerms(info);
    expect(contract).toMatchObject(terms);
    expect([settleDecimals, maxLeverage]).toEqual([
      [...ASSETS, PRACTICE_ASSET].find(({ asset }) => asset === contract.settle)?.decimals,
      contract.tiers[0]?.maxLeverage,
    ]);
  }
});

test('a listing that cannot be read is refused with the name of its field', async () => {
  const [[info], coins] = [await client().symbols(), await client().coins()];
  expect(() => info && pairTerms({ ...info, minPrice: '0.0000000001' }, coins)).toThrow(/minPrice 0\.0000000001/);
  const [contract] = await client().futuresSymbols();
  expect(() => contract && contractTerms({ ...contract, takerFee: 'none' })).toThrow(/takerFee none/);
});
