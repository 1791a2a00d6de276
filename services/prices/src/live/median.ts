/** One price out of several: no single source can move it beyond the others. */
import { ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';

/** A source further than this from the median of all is not listened to: 3 %. */
const OUTLIER_PPM = 30_000;

/** The median of the prices that are near the median of all; undefined when fewer than `least` are. */
export function robustMedian(prices: readonly Ticks[], least: number): Ticks | undefined {
  const middle = median(prices);
  if (middle === undefined) return undefined;
  const near = prices.filter((price) => Math.abs(price - middle) * 1_000_000 <= middle * OUTLIER_PPM);
  return near.length < least ? undefined : median(near);
}

/** Of an even number, the middle between the two in the middle, rounded down. */
function median(prices: readonly Ticks[]): Ticks | undefined {
  const sorted = prices.toSorted((left, right) => left - right);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : ticks(Math.floor((upper + lower) / 2));
}
