/** Waiting for time to pass: the clock's in production, a virtual one where time is simulated. */

/** Calls `act` once after a delay in milliseconds; the returned function cancels it. */
export type Timer = (act: () => void, ms: number) => () => void;

export const systemTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};
