/**
 * Margin by the size of a position. The larger the notional, the lower the leverage and the higher the maintenance rate; maintenance is continuous
 * over the bounds of the tiers. Everything is in atoms of the settle asset.
 */
import { assert, atoms, divCeil, NO_ATOMS, type Atoms } from '@orrery/units';
import type { MarginTier } from '@orrery/protocol';

/**
 * Tiers as whole numbers: every rate and deduction is a fraction of one common denominator, so that nothing is rounded before the end.
 * Maintenance in tier n is (notional × rate − deduction) / denominator.
 */
export interface ScaledTiers {
  readonly denominator: bigint;
  readonly tiers: readonly ScaledTier[];
}

export interface ScaledTier {
  readonly maxNotional: Atoms;
  readonly maxLeverage: number;
  readonly rate: bigint;
  readonly deduction: bigint;
}

const scaledTiers = new WeakMap<readonly MarginTier[], ScaledTiers>();

/** The tiers of a contract on their common denominator; computed once for each list. @param tiers at least one, bounds rising, leverage falling */
export function scaleTiers(tiers: readonly MarginTier[]): ScaledTiers {
  const known = scaledTiers.get(tiers);
  if (known !== undefined) return known;
  const denominator = tiers.reduce((multiple, { maxLeverage }) => leastCommonMultiple(multiple, 2n * BigInt(maxLeverage)), 1n);
  const scaled: ScaledTier[] = [];
  for (const { maxNotional, maxLeverage } of tiers) {
    const rate = denominator / (2n * BigInt(maxLeverage));
    const before = scaled.at(-1);
    // Continuous: at the lower bound of a tier both tiers demand the same.
    const deduction = before === undefined ? 0n : before.deduction + before.maxNotional * (rate - before.rate);
    scaled.push({ maxNotional, maxLeverage, rate, deduction });
  }
  const result: ScaledTiers = { denominator, tiers: scaled };
  scaledTiers.set(tiers, result);
  return result;
}

/** The tier of a notional; the last one for a notional above every bound. */
function tierAt(notional: Atoms, { tiers }: ScaledTiers): ScaledTier {
  for (const tier of tiers) if (notional <= tier.maxNotional) return tier;
  const last = tiers.at(-1);
  assert(last !== undefined, 'a contract has a margin tier');
  return last;
}

/** What a position of this notional must keep, rounded up; below it the position is liquidated. */
export function maintenanceMargin(notional: Atoms, tiers: readonly MarginTier[]): Atoms {
  if (notional === NO_ATOMS) return NO_ATOMS;
  const scaled = scaleTiers(tiers);
  const { rate, deduction } = tierAt(notional, scaled);
  return atoms(divCeil(notional * rate - deduction, scaled.denominator));
}

/** What opening a position of this notional needs, rounded up. @param leverage a whole number from 1 */
export function initialMargin(notional: Atoms, leverage: number): Atoms {
  return atoms(divCeil(notional, BigInt(leverage)));
}

/** The highest leverage a position of this notional may have; 0 when no tier allows such a position. */
export function maxLeverageAt(notional: Atoms, tiers: readonly MarginTier[]): number {
  return tiers.find(({ maxNotional }) => notional <= maxNotional)?.maxLeverage ?? 0;
}

/** The largest notional that a leverage allows; 0 when no tier allows the leverage. */
export function maxNotionalAt(leverage: number, tiers: readonly MarginTier[]): Atoms {
  for (let index = tiers.length - 1; index >= 0; index -= 1) {
    const tier = tiers[index];
    if (tier !== undefined && leverage <= tier.maxLeverage) return tier.maxNotional;
  }
  return NO_ATOMS;
}

function leastCommonMultiple(left: bigint, right: bigint): bigint {
  let divisor = left;
  for (let rest = right; rest > 0n; [divisor, rest] = [rest, divisor % rest]);
  return (left / divisor) * right;
}
