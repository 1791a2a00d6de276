/**
 * How withdrawals count toward the caps of their asset. A minute counts as a whole: what was held in the minute in which the hour (or the day) began counts
 * too, so that within no hour and no day, wherever it begins, more is held than the cap.
 */
import { millis, type Atoms, type Millis } from '@orrery/units';
import type { WithdrawalCaps } from '@orrery/protocol';
import { AMOUNT_MAX } from './limits.ts';

const MINUTE_MS = 60_000;
export const CAP_HOUR_MS = 3_600_000;
export const CAP_DAY_MS = 24 * CAP_HOUR_MS;

/** When the minute of a time began. */
export const minuteOf = (at: Millis): Millis => millis(at - (at % MINUTE_MS));

/**
 * Whether what was held in a minute counts at `at` toward a cap.
 * @param minute when it began
 * @param window in milliseconds: an hour or a day
 */
export const countsToward = (minute: Millis, at: Millis, window: number): boolean => minuteOf(at) - minute <= window;

/** The first field of caps that can not be set as described; undefined when they can. */
export function invalidCapsField({ hourly, daily }: Pick<WithdrawalCaps, 'hourly' | 'daily'>): 'hourly' | 'daily' | undefined {
  if (!isCap(daily)) return 'daily';
  return isCap(hourly) && hourly <= daily ? undefined : 'hourly';
}

const isCap = (cap: Atoms): boolean => cap >= 0n && cap <= AMOUNT_MAX;
