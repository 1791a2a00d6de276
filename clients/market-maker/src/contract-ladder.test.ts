import { type ContractTerms } from '@orrery/sdk';
import * as fc from 'fast-check';
import { atoms, lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { contractLadder } from './contract-ladder.ts';
import { readPosition, sizeOfDollars, smallestOrder } from './contract-sizes.ts';
import { ContractTape } from './contract-tape.ts';
import { Life } from './life.ts';
import { LINEAR } from './testing/markets.ts';

const INVERSE: ContractTerms = {
  ...LINEAR,
  symbol: 'BTC_USD',
  payoff: 'inverse',
  underlyingType: 'COIN_BASED',
  sizePrecision: 0,
  minNotional: atoms(5_000n),
  tickLotAtoms: atoms(1_000_000_000n),
};
const OPTIONS = { seed: 3, levels: 20, levelDollars: 2_000, positionDollars: 500_000 };
const rules = fc.constantFrom(LINEAR, INVERSE);

test('sizes are lots of dollars, and the smallest order is worth the least notional', () => {
  // 1,000 dollars at 100,000 are 0.01 BTC; of the inverse contract a dollar is a lot.
  expect(sizeOfDollars(1_000, ticks(1_000_000), LINEAR)).toBe(1_000);
  expect(sizeOfDollars(1_000, ticks(1_000_000), INVERSE)).toBe(1_000);
  // 5 USDC at 100,000 are 0.00005 BTC; 0.00005 BTC are 5 dollars.
  expect(smallestOrder(ticks(1_000_000), LINEAR)).toBe(5);
  expect(smallestOrder(ticks(1_000_000), INVERSE)).toBe(5);
  expect([readPosition('-0.5', LINEAR), readPosition('7', INVERSE), readPosition('x', LINEAR)]).toEqual([-50_000, 7, undefined]);
});

test('quotes stand on both sides of the index price, lean against the position, and never take it beyond its limit', () => {
  fc.assert(
    fc.property(
      rules,
      fc.integer({ min: 100_000, max: 3_000_000 }),
      fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      (contract, price, share) => {
        const limit = sizeOfDollars(OPTIONS.positionDollars, ticks(price), { ...contract, maxSize: lots(Number.MAX_SAFE_INTEGER) });
        const position = Math.round(limit * share);
        const quotes = contractLadder(ticks(price), position, contract, OPTIONS);
        const [buys, sells] = (['buy', 'sell'] as const).map((side) => quotes.filter((quote) => quote.side === side));
        const sum = (list: typeof quotes = []): number => list.reduce((total, { size }) => total + size, 0);
        expect(position + sum(buys)).toBeLessThanOrEqual(Math.max(limit, position));
        expect(position - sum(sells)).toBeGreaterThanOrEqual(Math.min(0 - limit, position));
        const best = {
          bid: Math.max(...(buys ?? []).map((quote) => quote.price)),
          ask: Math.min(...(sells ?? []).map((quote) => quote.price)),
        };
        expect(best.bid).toBeLessThan(best.ask);
        for (const quote of quotes) expect(quote.size).toBeGreaterThanOrEqual(smallestOrder(quote.price, contract));
      },
    ),
    { numRuns: 300 },
  );
  const asks = (position: number) => contractLadder(ticks(1_000_000), position, LINEAR, OPTIONS).filter(({ side }) => side === 'sell');
  expect(asks(400_000)[0]?.price).toBeLessThan(asks(-400_000)[0]?.price ?? 0);
  expect(contractLadder(ticks(1_000_000), 0, LINEAR, OPTIONS)).toHaveLength(40);
});

test('the tape only reduces a position that is as large as it may be', () => {
  const tape = new ContractTape({
    client: {} as never,
    rules: LINEAR,
    life: new Life(() => undefined),
    attention: { pause: () => Promise.resolve() },
    seed: 9,
    meanPauseMs: 1_000,
  });
  for (let count = 0; count < 50; count += 1) {
    // 20,000 dollars at 100,000 are 0.2 BTC.
    expect(tape.draw(ticks(1_000_000), 20_000)).toMatchObject({ side: 'sell', price: 997_000 });
    expect(tape.draw(ticks(1_000_000), -20_000)).toMatchObject({ side: 'buy', price: 1_003_000 });
  }
  const sides = new Set(Array.from({ length: 200 }, () => tape.draw(ticks(1_000_000), 0).side));
  expect(sides.size).toBe(2);
});

test('a wider spread and a smaller lean are kept where they are given', () => {
  const narrow = { ...OPTIONS, halfSpreadPpm: 300, skewMaxPpm: 200 };
  for (const position of [-500_000, -250_000, 0, 250_000, 500_000])
    for (const { side, price } of contractLadder(ticks(1_000_000), position, LINEAR, narrow))
      expect(side === 'buy' ? 1_000_000 - price : price - 1_000_000).toBeGreaterThanOrEqual(99);
  const asks = contractLadder(ticks(1_000_000), 0, LINEAR, narrow).filter(({ side }) => side === 'sell');
  expect(Math.min(...asks.map(({ price }) => price))).toBeGreaterThanOrEqual(1_000_300);
});
