import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lots, ppm, ticks } from '@orrery/units';
import { fundingRatePpb, fundingReceived, premiumPpb, type BookLevel } from './funding.ts';
import { btc, INVERSE, LINEAR, usdc } from './testing/contracts.ts';

const HOURLY = { fundingIntervalMs: 3_600_000, interestPpm8h: ppm(100), fundingCapPpm: ppm(40_000) };
const level = (price: number, size: number): BookLevel => ({ price: ticks(price), size: lots(size) });

describe('the premium', () => {
  const terms = { ...LINEAR, impactNotional: usdc(8_000) };
  const bids = [level(600_600, 5_000), level(600_300, 100_000)];

  test.each<[string, readonly BookLevel[], readonly BookLevel[], number]>([
    // 5,000 lots at 60,060.0 are 3,003 USDC; 4,997 more take 8,325 lots at 60,030.0 (rounded up). Average: 60,030 + 30 × 5,000 / 13,325
    // = 60,041.257; less the index, over it: 41.257 / 60,000 = 687,617 ppb. The asks are above the index.
    ['above the index', bids, [level(600_800, 100_000)], 687_617],
    // Asks at 59,940.0: 60 / 60,000 = 0.1 % below.
    ['below the index', [level(599_300, 100_000)], [level(599_400, 100_000)], -1_000_000],
    ['of a book around the index', [level(599_900, 100_000)], [level(600_100, 100_000)], 0],
    // 5,000 lots are worth less than the impact notional.
    ['of a book that is too thin', [level(600_600, 5_000)], [], 0],
  ])('%s', (_what, buying, selling, premium) => {
    expect(premiumPpb({ bids: buying, asks: selling }, ticks(600_000), terms)).toBe(premium);
  });

  test('of an inverse contract is measured in its own settle asset', () => {
    // 1,000 USD at 60,000.0 is 1/60 BTC; the impact notional of 0.01 BTC needs 600 USD at 60,060.0: 0.1 % above.
    const inverse = { ...INVERSE, impactNotional: btc(0.01) };
    expect(premiumPpb({ bids: [level(600_600, 1_000)], asks: [] }, ticks(600_000), inverse)).toBe(1_000_000);
  });
});

describe('the funding rate of an hour', () => {
  test.each([
    // Without samples the premium is 0, so the rate is the interest: 0.01 % / 8.
    [0, 0, 12_500],
    // Within 0.05 % of the interest, the interest.
    [-300_000 * 720, 720, 12_500],
    // Average 687,617: less 500,000 is 187,617, an eighth is 23,452.1.
    [687_617 * 3, 3, 23_452],
    // Average -1,000,000: plus 500,000 is -500,000, an eighth is -62,500.
    [-3_000_000, 3, -62_500],
    // 100 %: (10^9 - 500,000) / 8 = 124,937,500 is above 4 %.
    [1_000_000_000, 1, 40_000_000],
    [-1_000_000_000, 1, -40_000_000],
  ])('of premiums that sum to %s ppb in %s samples is %s ppb', (premiums, samples, rate) => {
    expect(fundingRatePpb(premiums, samples, HOURLY)).toBe(rate);
  });
});

describe('what funding pays', () => {
  test.each([
    // 60,000 USDC × 12,500 ppb = 0.75 USDC.
    ['linear', 100_000, 12_500, -750_000n, 750_000n],
    ['linear', 100_000, -12_500, 750_000n, -750_000n],
    // 1 lot at 600,000 ticks × 12,500 ppb = 7.5 atoms: paid up, received down.
    ['linear', 1, 12_500, -8n, 7n],
    // 60,000 USD are 1 BTC: 10^8 × 12,500 ppb = 1,250 atoms.
    ['inverse', 60_000, 12_500, -1_250n, 1_250n],
    ['inverse', 1, -12_500, 0n, -1n],
    ['linear', 100_000, 0, 0n, 0n],
  ] as const)('in a %s contract of %s lots at %s ppb: the long receives %s, the short %s', (payoff, size, rate, long, short) => {
    const terms = payoff === 'linear' ? LINEAR : INVERSE;
    expect(fundingReceived(lots(size), true, ticks(600_000), rate, terms)).toBe(long);
    expect(fundingReceived(lots(size), false, ticks(600_000), rate, terms)).toBe(short);
  });

  test('P2: longs and shorts of equal size never receive more than they pay, and less than an atom each is left over', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 });
    const rates = fc.integer({ min: -40_000_000, max: 40_000_000 });
    const terms = fc.constantFrom(LINEAR, INVERSE);
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 2_000_000 }), rates, terms, (longs, price, rate, contract) => {
        const received = (size: number, isLong: boolean): bigint => fundingReceived(lots(size), isLong, ticks(price), rate, contract);
        const total = longs.reduce((sum, size) => sum + size, 0);
        const sum = longs.reduce((paid, size) => paid + received(size, true), received(total, false));
        expect(sum).toBeLessThanOrEqual(0n);
        expect(sum).toBeGreaterThanOrEqual(-BigInt(longs.length + 1));
      }),
    );
  });
});
