/** How far the mark price is from where a position is liquidated. */
import { divFloor, NO_TICKS, printDecimal } from '@orrery/units';
import type { Ticks } from '@orrery/units';

export interface LiquidationDistance {
  /** Which way the price must go. */
  readonly way: 'fall' | 'rise';
  /** Per cent of the mark price, one decimal, rounded down: the price need not go further than this says. */
  readonly percent: string;
}

const TENTHS_OF_PERCENT = 1_000n;

/** `undefined` where no price liquidates it, or where it is reached already. */
export function liquidationDistance(mark: Ticks, liquidation: Ticks): LiquidationDistance | undefined {
  if (mark === NO_TICKS || liquidation === NO_TICKS || mark === liquidation) return undefined;
  const gap = BigInt(Math.abs(mark - liquidation));
  return { way: liquidation < mark ? 'fall' : 'rise', percent: printDecimal(divFloor(gap * TENTHS_OF_PERCENT, BigInt(mark)), 1) };
}
