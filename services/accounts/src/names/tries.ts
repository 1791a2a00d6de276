/** Bounds on what may be tried or sent: a number within a time. */

export interface Bound {
  readonly most: number;
  readonly perMs: number;
}

/**
 * Milliseconds until the next one, from the times of those before it. A bound that is reached holds for its whole time from the last of them:
 * nobody tries meanwhile, so that the wait ends with all of them over.
 */
export function lockOf(times: readonly number[], bounds: readonly Bound[], now: number): number {
  return Math.max(
    0,
    ...bounds.map(({ most, perMs }) => {
      const within = times.filter((at) => at > now - perMs);
      return within.length < most ? 0 : Math.max(...within) + perMs - now;
    }),
  );
}

/** The same for what is spread over the time: the wait ends when the oldest that counts is over. */
export function waitOf(times: readonly number[], bounds: readonly Bound[], now: number): number {
  return Math.max(
    0,
    ...bounds.map(({ most, perMs }) => {
      const within = times.filter((at) => at > now - perMs).sort((a, b) => a - b);
      return within.length < most ? 0 : (within.at(-most) ?? 0) + perMs - now;
    }),
  );
}
