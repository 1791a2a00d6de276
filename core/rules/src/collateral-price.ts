/**
 * The price by which a collateral is valued: a median of outside prices as the index of a contract is, that never jumps and counts for less the older it is.
 * Prices in ticks, times in milliseconds.
 */
import { atoms, divFloor, NO_TICKS, ppm, type Atoms, type Ticks } from '@orrery/units';
import { withinRate } from './bands.ts';
import { usableIndex, type PriceBounds, type WeightedSample } from './index-price.ts';

/** A round moves the price at most this far: 5 %. */
export const COLLATERAL_STEP_PPM = ppm(50_000);
/** A younger price counts in full for what opens. */
export const COLLATERAL_FULL_MS = 60_000;
/** From this age on it counts for nothing there. */
export const COLLATERAL_NOTHING_MS = 600_000;

/** The price after a round, or `NO_TICKS` when its samples cannot be relied on. @param before `NO_TICKS` before the first */
export function nextCollateralPrice(before: Ticks, samples: readonly WeightedSample[], bounds: PriceBounds): Ticks {
  const index = usableIndex(samples, bounds);
  return index === NO_TICKS || before === NO_TICKS ? index : withinRate(index, before, COLLATERAL_STEP_PPM);
}

/** What of a worth counts for what opens: all of it up to a minute, then less in a straight line, nothing after ten. Rounded down. @param worth from 0 */
export function openingShare(worth: Atoms, ageMs: number): Atoms {
  if (ageMs <= COLLATERAL_FULL_MS) return worth;
  const left = COLLATERAL_NOTHING_MS - ageMs;
  return left <= 0 ? atoms(0n) : atoms(divFloor(worth * BigInt(left), BigInt(COLLATERAL_NOTHING_MS - COLLATERAL_FULL_MS)));
}
