import type { PricedTerms } from '@orrery/rules';
import { atoms, lots, NO_TICKS, ppm, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { backingAfter, holdingAfter, lossAtOnce, marginNeeded, openedBy, realizedBy, outlookAfter } from './projection.ts';
import { outlookOf } from './position-holding.ts';

/** A tick and a lot are worth one atom; up to 20×, so that maintenance is 2.5 % of the notional. */
const LINEAR: PricedTerms = {
  payoff: 'linear',
  tickLotAtoms: atoms(1n),
  tiers: [{ maxNotional: atoms(10n ** 12n), maxLeverage: 20 }],
  minPrice: ticks(1),
  maxPrice: ticks(100_000),
};
/** One lot is worth 1,000,000 atoms at one tick. */
const INVERSE: PricedTerms = { ...LINEAR, payoff: 'inverse', tickLotAtoms: atoms(1_000_000n) };

const trade = (side: 'buy' | 'sell', size: number, price: number) => ({ side, size: lots(size), price: ticks(price) });
const LONG = { direction: 'long', size: lots(10), cost: atoms(1_000n) } as const;

test('a trade opens a position, adds to it, reduces it, closes it, or turns it round', () => {
  expect(holdingAfter(undefined, trade('sell', 4, 100), LINEAR)).toEqual({ direction: 'short', size: 4, cost: 400n });
  expect(holdingAfter(LONG, trade('buy', 5, 120), LINEAR)).toEqual({ direction: 'long', size: 15, cost: 1_600n });
  expect(holdingAfter(LONG, trade('sell', 4, 120), LINEAR)).toEqual({ direction: 'long', size: 6, cost: 600n });
  expect(holdingAfter(LONG, trade('sell', 10, 120), LINEAR)).toBeUndefined();
  expect(holdingAfter(LONG, trade('sell', 12, 120), LINEAR)).toEqual({ direction: 'short', size: 2, cost: 240n });
});

test('only what closes realises a profit', () => {
  expect(realizedBy(LONG, trade('buy', 4, 120), LINEAR)).toBe(0n);
  // 4 of 10 lots cost 400 and bring 480.
  expect(realizedBy(LONG, trade('sell', 4, 120), LINEAR)).toBe(80n);
  // Of 12 lots 10 close: 1,200 against 1,000.
  expect(realizedBy(LONG, trade('sell', 12, 120), LINEAR)).toBe(200n);
});

test('a position with what it needs is measured at the mark price', () => {
  const backing = { mode: 'ISOLATED', leverage: 10, margin: atoms(100n) } as const;
  const standing = outlookOf(LONG, backing, LINEAR, ticks(110));
  expect(standing).toMatchObject({ entry: 100, margin: 110n });
  // Solvent while 10p − 900 ≥ 2.5 % of 10p: down to p = 92.3…; the first tick below is 92.
  expect(standing.liquidation).toBe(92);
  expect(outlookOf(undefined, backing, LINEAR, ticks(110))).toMatchObject({
    holding: undefined,
    margin: 0n,
    liquidation: undefined,
  });
  expect(outlookOf(LONG, backing, LINEAR, NO_TICKS).liquidation).toBeUndefined();
});

test('of two legs both move with the mark, before a trade and after it', () => {
  const otherLeg = { direction: 'short', size: lots(8), cost: atoms(800n) } as const;
  const backing = { mode: 'CROSSED', leverage: 10, margin: atoms(95n), otherLeg } as const;
  // 2 (p − 100) + 95 ≥ 18p / 40 down to p = 67.7….
  expect(outlookOf(LONG, backing, LINEAR, ticks(100)).liquidation).toBe(67);
  // The short gains less by a rise than the long.
  expect(outlookOf(otherLeg, { ...backing, otherLeg: LONG }, LINEAR, ticks(100)).liquidation).toBe(NO_TICKS);
  // 2 of 10 lots sold at 100 for a fee of 1: equal legs, whose 94 bear 16p / 40 up to 235.
  const after = outlookAfter(LONG, backing, { trade: { ...trade('sell', 2, 100), fee: atoms(1n) }, mark: ticks(100), terms: LINEAR });
  expect(after.liquidation).toBe(NO_TICKS);
  const other = { ...backing, margin: atoms(94n), otherLeg: { ...LONG, size: lots(8), cost: atoms(800n) } } as const;
  expect(outlookOf(otherLeg, other, LINEAR, ticks(100)).liquidation).toBe(236);
});

test('collateral in the coin of the contract moves with the mark', () => {
  const coin = { amount: atoms(5n), price: ticks(100), lotAtoms: atoms(1n), tickLotAtoms: atoms(1n), ratioPpm: ppm(800_000) };
  const backing = { mode: 'CROSSED', leverage: 10, margin: atoms(0n), coin } as const;
  // 10 (p − 100) + 4p ≥ p / 4 down to p = 72.7…. A coin that keeps its price of 80 each would show 61.5….
  expect(outlookOf(LONG, backing, LINEAR, ticks(100)).liquidation).toBe(72);
  expect(outlookOf(LONG, { ...backing, margin: atoms(400n), coin: undefined }, LINEAR, ticks(100)).liquidation).toBe(61);
});

test('what opens at a price worse than the mark loses the difference at once', () => {
  expect(lossAtOnce(undefined, trade('buy', 10, 120), ticks(100), LINEAR)).toBe(200n);
  expect(lossAtOnce(undefined, trade('sell', 10, 90), ticks(100), LINEAR)).toBe(100n);
  expect(lossAtOnce(undefined, trade('buy', 10, 90), ticks(100), LINEAR)).toBe(0n);
  expect(lossAtOnce(LONG, trade('buy', 10, 120), ticks(100), LINEAR)).toBe(200n);
  // Of 12 lots 10 close the long: 2 are sold 10 below the mark.
  expect(lossAtOnce(LONG, trade('sell', 12, 90), ticks(100), LINEAR)).toBe(20n);
  expect(lossAtOnce(LONG, trade('sell', 10, 90), ticks(100), LINEAR)).toBe(0n);
  expect(lossAtOnce(undefined, trade('buy', 10, 120), NO_TICKS, LINEAR)).toBe(0n);
  // 10 lots are worth 100,000 atoms at 100 and 80,000 at 125.
  expect(lossAtOnce(undefined, trade('buy', 10, 125), ticks(100), INVERSE)).toBe(20_000n);
});

test('the margin after an order far from the mark is what the exchange asks for', () => {
  const backing = { mode: 'CROSSED', leverage: 10, margin: atoms(500n) } as const;
  const after = (bought: ReturnType<typeof trade>) =>
    outlookAfter(LONG, backing, { trade: { ...bought, fee: atoms(1n) }, mark: ticks(100), terms: LINEAR });
  // 20 lots at a mark of 100 need 200; 10 of them are bought 20 above it.
  expect(after(trade('buy', 10, 120))).toMatchObject({ holding: { size: 20, cost: 2_200n }, margin: 400n });
  expect(after(trade('buy', 10, 90))).toMatchObject({ margin: 200n });
  expect(after(trade('sell', 4, 90))).toMatchObject({ margin: 60n });
});

test('an isolated position takes margin with what it adds, and gives it back in proportion', () => {
  const backing = { mode: 'ISOLATED', leverage: 10, margin: atoms(100n) } as const;
  const fee = atoms(1n);
  expect(backingAfter(LONG, backing, { ...trade('buy', 10, 120), fee }, LINEAR).margin).toBe(220n);
  expect(backingAfter(LONG, backing, { ...trade('sell', 5, 120), fee }, LINEAR).margin).toBe(50n);
  expect(backingAfter(LONG, backing, { ...trade('sell', 10, 120), fee }, LINEAR).margin).toBe(0n);
  expect(backingAfter(LONG, backing, { ...trade('sell', 12, 120), fee }, LINEAR).margin).toBe(24n);
});

test('behind a crossed position stands what a trade leaves: its profit less its fee', () => {
  const backing = { mode: 'CROSSED', leverage: 10, margin: atoms(500n) } as const;
  expect(backingAfter(LONG, backing, { ...trade('sell', 4, 120), fee: atoms(3n) }, LINEAR).margin).toBe(577n);
});

test('an order needs the margin and the fee of what it opens, and what it loses at once', () => {
  const terms = { leverage: 10, takerFeePpm: ppm(10_000), mark: ticks(100), terms: LINEAR };
  // 400 of value: 40 of margin, 4 of fee.
  expect(marginNeeded(undefined, trade('buy', 4, 100), terms)).toBe(44n);
  // 480 of value: 48, 5, and 80 above the mark.
  expect(marginNeeded(undefined, trade('buy', 4, 120), terms)).toBe(133n);
  expect(marginNeeded(LONG, trade('sell', 10, 100), terms)).toBe(0n);
  // 2 of 12 open.
  expect(marginNeeded(LONG, trade('sell', 12, 100), terms)).toBe(22n);
});

test('what protects an order is of what it opens', () => {
  expect(openedBy(undefined, trade('buy', 4, 100), LINEAR)).toEqual({ direction: 'long', size: 4, cost: 400n });
  expect(openedBy(LONG, trade('buy', 4, 100), LINEAR)).toEqual({ direction: 'long', size: 4, cost: 400n });
  expect(openedBy(LONG, trade('sell', 12, 100), LINEAR)).toEqual({ direction: 'short', size: 2, cost: 200n });
  expect(openedBy(LONG, trade('sell', 3, 100), LINEAR)).toBeUndefined();
});
