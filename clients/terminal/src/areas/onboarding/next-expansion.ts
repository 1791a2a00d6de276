const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday, 12:00 UTC, of Unix time: 5 January 1970. */
const FIRST_MONDAY_NOON = 4 * DAY_MS + DAY_MS / 2;

/** The next Monday at 12:00 UTC after a moment: when the whitelist grows. */
export function nextExpansion(now: number): number {
  return FIRST_MONDAY_NOON + (Math.floor((now - FIRST_MONDAY_NOON) / WEEK_MS) + 1) * WEEK_MS;
}
