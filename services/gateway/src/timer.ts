/** Waiting for time to pass: the clock's in production, a virtual one where time is simulated. */

/** Calls `act` once when so many milliseconds have passed; the answer takes it back. */
export type Timer = (act: () => void, ms: number) => () => void;

export const systemTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};
