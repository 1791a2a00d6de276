/** Candle intervals and where each begins, in UTC. Weeks begin on Monday, months on their first day. */
import { millis, type Millis } from '@orrery/units';

export const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const;
export type Interval = (typeof INTERVALS)[number];

export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

const FIXED_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
} as const satisfies Partial<Record<Interval, number>>;

/** When the candle that holds `at` opened. */
export function openTimeOf(interval: Interval, at: Millis): Millis {
  if (interval === '1M') return startOfMonth(at);
  if (interval === '1w') return millis(Math.max(at - modulo(at - FIRST_MONDAY_MS, WEEK_MS), 0));
  return millis(at - (at % FIXED_MS[interval]));
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

const DAYS_IN_400_YEARS = 146_097;
/** From 1 March of the year 0 to the epoch. */
const DAYS_BEFORE_EPOCH = 719_468;

// The civil calendar by arithmetic: the core has no Date. Years are counted from March, so that the leap day is their last.
function startOfMonth(at: Millis): Millis {
  const days = Math.floor(at / DAY_MS);
  const dayOfEra = (days + DAYS_BEFORE_EPOCH) % DAYS_IN_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5);
  return millis((days - dayOfMonth) * DAY_MS);
}
