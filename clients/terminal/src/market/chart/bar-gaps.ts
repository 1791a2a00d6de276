/** The bars of intervals in which nothing was traded: the stream sends none, and the chart shows them as the exchange lists them. */
import type { Bar, Interval } from '../../platform/feed/bars.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Months have no length of their own, and hardly one without a trade. */
const LENGTH_MS: Readonly<Record<Exclude<Interval, '1M'>, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '1w': 7 * 24 * HOUR_MS,
};

/** More than these come by a reading of the exchange. */
const MOST = 500;

/** Between the last bar that is shown and the next one, oldest first: each repeats the last close. */
export function barsBetween(last: Bar | undefined, next: Bar, interval: Interval): readonly Bar[] {
  if (last === undefined || interval === '1M') return [];
  const length = LENGTH_MS[interval];
  const count = Math.min(Math.max(Math.round((next.time - last.time) / length) - 1, 0), MOST);
  const { close } = last;
  return Array.from({ length: count }, (_, at) => ({
    time: next.time - (count - at) * length,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0,
  }));
}
