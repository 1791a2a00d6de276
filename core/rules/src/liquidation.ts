/** When a position is liquidated, and how much of it at a time. In atoms of the settle asset. */
import { bigintOf, divCeil, divFloor, lots, ppm, ticks, type Atoms, type Lots, type Ppm, type Ticks } from '@orrery/units';
import type { Direction } from './payoff.ts';

/** Rounds of fresh prices after a start or an outage, before anything is liquidated: X4. */
export const FRESH_ROUNDS_MIN = 3;
/** Prices that were not submitted for so long are an outage. */
export const STALE_PRICES_MS = 300_000;
/** P6: the liquidator stakes at most this share of the insurance fund: 5 %. */
export const LIQUIDATOR_SHARE_PPM = 50_000n;

const MILLION = 1_000_000n;

/** How safe an account or an isolated position is. */
export interface Solvency {
  /** Signed. */
  readonly equity: Atoms;
  readonly maintenance: Atoms;
}

/**
 * `safe`: equity is at least the maintenance. `orderBook`: below it, closed by orders while there is something to lose. `takeover`: below two thirds
 * of it, taken over by the liquidator.
 */
export type SolvencyStage = 'safe' | 'orderBook' | 'takeover';

export function solvencyStage({ equity, maintenance }: Solvency): SolvencyStage {
  if (equity >= maintenance) return 'safe';
  return equity * 3n < maintenance * 2n ? 'takeover' : 'orderBook';
}

/** A contract as far as partial liquidation depends on it. */
export interface PartialLiquidationTerms {
  readonly partialLiquidationAbove: Atoms;
  readonly partialLiquidationPpm: Ppm;
}

/** Lots that are liquidated first: all, or of a position above the bound the share of it, rounded up. @param notional at mark */
export function firstLiquidation(
  size: Lots,
  notional: Atoms,
  { partialLiquidationAbove, partialLiquidationPpm }: PartialLiquidationTerms,
): Lots {
  if (notional <= partialLiquidationAbove) return size;
  return lots(Number(divCeil(bigintOf(size) * bigintOf(partialLiquidationPpm), MILLION)));
}

/** What the insurance fund and the liquidator may lose of a contract within a rolling hour: 5 % of what they had before those losses. */
export const FUND_LOSS_SHARE_PPM = 50_000n;
export const FUND_LOSS_WINDOW_MINUTES = 60;

/** The liquidator sells a fifth of what it took over at a time, ... */
export const UNWIND_PARTS = 5;
/** ... within 0.5 % of the mark, ... */
export const UNWIND_BAND_PPM = ppm(5_000);
/** ... after a minute within 1 %, ... */
export const UNWIND_LATE_BAND_PPM = ppm(10_000);
export const UNWIND_LATE_MS = 60_000;
/** ... and what it still holds after two minutes is deleveraged. */
export const UNWIND_END_MS = 120_000;

/** Lots that the liquidator offers at once: a part of what it took over, no less than the least order, and no crumb is left behind. */
export function unwindSlice(held: Lots, taken: Lots, minSize: Lots): Lots {
  const slice = Math.max(Math.ceil(taken / UNWIND_PARTS), minSize);
  return held - slice < minSize ? held : lots(slice);
}

/** A price that is missing counts at what it may have become since: 5 % better for each round of 3 s that did not come, at most 20 %. */
const FAVOUR_PPM_PER_ROUND = 50_000n;
const FAVOUR_PPM_MAX = 200_000n;
const ROUND_MS = 3_000;

/** A mark moved in favour of its holder for the time it is old, at least by one round; rounded in favour too. */
export function favourableMark(mark: Ticks, direction: Direction, ageMs: number): Ticks {
  const rounds = BigInt(Math.max(1, Math.floor(ageMs / ROUND_MS)));
  const favour = rounds * FAVOUR_PPM_PER_ROUND < FAVOUR_PPM_MAX ? rounds * FAVOUR_PPM_PER_ROUND : FAVOUR_PPM_MAX;
  const scaled = bigintOf(mark);
  const moved = direction === 'long' ? divCeil(scaled * (MILLION + favour), MILLION) : divFloor(scaled * (MILLION - favour), MILLION);
  return ticks(Number(moved < 1n ? 1n : moved));
}
