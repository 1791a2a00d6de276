/** Mondays at 12:00 UTC: when the whitelist grows. */

const WEEK_MS = 7 * 86_400_000;
/** 5 January 1970 was the first Monday. */
const FIRST_MONDAY_NOON = 4 * 86_400_000 + 12 * 3_600_000;

export const MONDAY_NOON_CRON = '0 12 * * 1';

/** The latest one that is not after `now`. */
export function lastMondayNoon(now: number): number {
  return FIRST_MONDAY_NOON + Math.floor((now - FIRST_MONDAY_NOON) / WEEK_MS) * WEEK_MS;
}

/** Those after `after` and not after `until`, oldest first. */
export function mondayNoonsBetween(after: number, until: number): readonly number[] {
  const noons: number[] = [];
  for (let noon = lastMondayNoon(after) + WEEK_MS; noon <= until; noon += WEEK_MS) noons.push(noon);
  return noons;
}
