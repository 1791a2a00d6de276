/** Waiting for time to pass: the clock's in production, a virtual one where time is simulated. */

/** Calls `act` once after a delay in milliseconds; the returned function cancels it. */
export type Timer = (act: () => void, ms: number) => () => void;

export const systemTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** Keeps no process running. */
export const quietTimer: Timer = (act, ms) => {
  const timer = setTimeout(act, ms).unref();
  return () => clearTimeout(timer);
};

/** @param signal ends it early */
export function sleepBy(timer: Timer, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer(done, ms);
    function done(): void {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
    if (signal?.aborted === true) done();
  });
}

/** Calls `act` every `ms` milliseconds until the returned function is called. */
export function every(timer: Timer, ms: number, act: () => void): () => void {
  let cancel = timer(again, ms);
  function again(): void {
    cancel = timer(again, ms);
    act();
  }
  return () => cancel();
}
