import { type PairTerms } from '@orrery/sdk';
import { atoms, lots, ticks } from '@orrery/units';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Attention, followed, MOVE_PPM_MAX } from './attention.ts';
import { Life } from './life.ts';
import { ladder } from './quote-ladder.ts';

const RULES = {
  symbol: 'BTC_USDC',
  quoteDecimals: 6,
  lotAtoms: 1_000n,
  tickLotAtoms: atoms(1n),
  minSize: lots(1),
  maxSize: lots(10_000_000),
  minNotional: atoms(5_000_000n),
  maxNotional: atoms(4_000_000_000_000n),
} as unknown as PairTerms;
const RICH = { base: lots(1_000_000_000_000), quote: atoms(10n ** 18n) };

test('at rest no quote is nearer to the price of any moment than a lively one, so nobody trades against one that is late', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000, max: 20_000_000 }),
      fc.array(fc.integer({ min: -3_000, max: 3_000 }), { maxLength: 50 }),
      (first, moves) => {
        let [price, planned] = [ticks(first), ticks(first)];
        for (const move of moves) {
          price = ticks(Math.max(100_000, Math.round(price * (1 + move / 1_000_000))));
          planned = followed(price, planned, MOVE_PPM_MAX);
          const quotes = ladder(planned, RICH, RULES, { seed: 1, levels: 3, levelNotional: 1_000_000_000n, widerPpm: MOVE_PPM_MAX });
          // A lively one is 50 parts per million away; a tick of rounding.
          const near = Math.floor((price * 48) / 1_000_000) - 2;
          for (const quote of quotes) expect(quote.side === 'buy' ? price - quote.price : quote.price - price).toBeGreaterThanOrEqual(near);
        }
      },
    ),
  );
});

test('quotes stay where they are planned until the price has moved by more than that, and follow every move of a lively exchange', () => {
  expect(followed(100_100, 100_000, 1_000)).toBe(100_000);
  expect(followed(100_101, 100_000, 1_000)).toBe(100_101);
  expect(followed(99_899, 100_000, 1_000)).toBe(99_899);
  expect(followed(100_001, 100_000, 0)).toBe(100_001);
  expect(followed(100_001, undefined, 1_000)).toBe(100_001);
});

test('an exchange gets no larger steps than there may be, and where it does not answer somebody may be there', async () => {
  const answers = [() => Promise.resolve({ quoteMovePpm: 1_000_000 }), () => Promise.reject(new Error('no answer'))];
  const attention = new Attention({ status: () => answers.shift()?.() } as never, new Life(() => undefined));
  await attention.look();
  expect(attention.movePpm).toBe(MOVE_PPM_MAX);
  await attention.look();
  expect(attention.movePpm).toBe(0);
});
