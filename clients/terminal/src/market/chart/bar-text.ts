/** The time and the numbers of a bar for words. */
import { decimal } from '../../kit/format/decimal.ts';
import { isoTime } from '../../kit/format/time.ts';
import type { Interval } from '../../platform/feed/bars.ts';

/** Where the date of a bar ends in ISO 8601: a day, a week by its first day, a month. */
const DATES: Partial<Readonly<Record<Interval, 'YYYY-MM-DD' | 'YYYY-MM'>>> = { '1d': 'YYYY-MM-DD', '1w': 'YYYY-MM-DD', '1M': 'YYYY-MM' };

/** Days, weeks and months are those of the exchange, in UTC: in any other zone they would carry the date of another day. */
export const isByDate = (interval: Interval): boolean => DATES[interval] !== undefined;

/** When a bar began. @param shown a moment in the chosen zone */
export function barTime(time: number, interval: Interval, shown: (millis: number) => string): string {
  const date = DATES[interval];
  return date === undefined ? shown(time) : isoTime(time).slice(0, date.length);
}

/** Every digit that the float was read from, so that a format cuts them and nothing rounds up on the way. */
export const barText = (value: number): string => decimal(String(value)).toFixed();
