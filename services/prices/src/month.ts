/** One month of consecutive minutes of one market, in its ticks and lots, and where they come from. */
import type { Lots, Ticks } from '@orrery/units';

/** Told to whoever sees the price. */
export type PriceLabel = 'recorded' | 'synthetic' | 'live';

export interface Minute {
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
}

export interface Month {
  readonly label: Exclude<PriceLabel, 'live'>;
  readonly minutes: readonly Minute[];
}
