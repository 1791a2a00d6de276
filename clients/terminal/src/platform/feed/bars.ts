/** The bars of a market, as the feed brings them and the chart shows them. */

export interface Bar {
  /** Start of the bar, unix milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In the base asset. */
  readonly volume: number;
  /** Of prices of other exchanges, from before the first trade here. */
  readonly outside?: true;
}

export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const;
export type Interval = (typeof INTERVALS)[number];
