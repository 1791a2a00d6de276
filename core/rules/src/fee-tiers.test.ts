import { expect, test } from 'vitest';
import { atoms, ppm, signedPpm } from '@orrery/units';
import { contractFees, feeRates, feeTierOf, rebateTierOf, weightedVolume } from './fee-tiers.ts';
import { usdc } from './testing/contracts.ts';

const BASIS = { takerFeePpm: ppm(500), makerFeePpm: ppm(200) };

test.each([
  // Perpetual + 2 × spot, and a tier begins above its bound.
  [5_000_000, 0, 0],
  [5_000_000.000_001, 0, 1],
  [3_000_000, 1_000_001, 1],
  [20_000_000, 2_500_001, 2],
  [100_000_001, 0, 3],
  [500_000_001, 0, 4],
  [2_000_000_001, 0, 5],
  [0, 3_500_000_001, 6],
])('%s of perpetual and %s of spot volume is tier %s', (perpetual, spot, tier) => {
  expect(feeTierOf(weightedVolume(usdc(perpetual), usdc(spot)), 6)).toBe(tier);
});

test.each([
  [5, 0],
  [6, 1],
  [15, 1],
  [16, 2],
  [30, 2],
  [31, 3],
])('a maker of %s in 1,000 is of rebate tier %s', (share, tier) => {
  expect(rebateTierOf(atoms(BigInt(share)), atoms(1_000n))).toBe(tier);
});

test('nobody has a share of nothing', () => {
  expect(rebateTierOf(atoms(0n), atoms(0n))).toBe(0);
});

test.each([
  [0, 0, 500, 200],
  [1, 0, 360, 100],
  [6, 0, 220, 0],
  [0, 1, 500, -10],
  [3, 3, 280, -30],
])('tier %s with rebate tier %s pays %s ppm as taker and %s ppm as maker', (tier, rebateTier, taker, maker) => {
  expect(feeRates(BASIS, tier, rebateTier)).toEqual({ takerFeePpm: taker, makerFeePpm: maker });
});

test('a tier never pays more than the contract itself says', () => {
  expect(feeRates({ takerFeePpm: ppm(300), makerFeePpm: ppm(50) }, 1, 0)).toEqual({ takerFeePpm: 300, makerFeePpm: 50 });
});

test.each([
  // 60,000 USDC: 0.05 % is 30, 0.02 % is 12.
  [60_000_000_000n, 500, 200, 30_000_000n, 12_000_000n],
  [60_000_000_000n, 500, -30, 30_000_000n, -1_800_000n],
  // M6: a rebate of 0.003 % beside a taker fee of 0.001 % pays no more than that fee.
  [1_000_000n, 10, -30, 10n, -10n],
  // Fees round up, rebates towards zero.
  [1n, 500, 200, 1n, 1n],
  [1n, 500, -30, 1n, 0n],
] as const)('of a notional of %s at %s and %s ppm the taker pays %s, the maker %s', (notional, taker, maker, takerFee, makerFee) => {
  expect(contractFees(atoms(notional), ppm(taker), signedPpm(maker))).toEqual({ takerFee, makerFee });
});
