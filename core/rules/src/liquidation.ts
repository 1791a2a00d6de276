/** When a position is liquidated, and how much of it at a time. In atoms of the settle asset. */
import { bigintOf, divCeil, lots, type Atoms, type Lots, type Ppm } from '@orrery/units';

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
