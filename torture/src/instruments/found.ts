/** Waits until something is there after a fault, and how long that took. */
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './steady-trader.ts';

export const PATIENCE_MS = 120_000;
export const POLL_MS = 5;

/** Looks again and again. @throws after `PATIENCE_MS` */
export async function found<Result>(what: string, look: () => Result | undefined): Promise<Result> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(POLL_MS)) {
    const result = look();
    if (result !== undefined) return result;
  }
  throw new Error(`${what} did not come within ${PATIENCE_MS / 1_000} s`);
}

/** @throws when it is not done within `PATIENCE_MS`; what it does goes on */
export function done<Result>(what: string, doing: Promise<Result>): Promise<Result> {
  const late = async (): Promise<never> => {
    await pause(PATIENCE_MS, undefined, { ref: false });
    throw new Error(`${what} was not done within ${PATIENCE_MS / 1_000} s`);
  };
  return Promise.race([doing, late()]);
}

/** @param times milliseconds of each fault, by its kind */
export function timesOf(times: ReadonlyMap<string, readonly number[]>): Record<string, string> {
  return Object.fromEntries(
    [...times].map(([fault, all]) => [
      `until an order was answered, ${fault}`,
      `${all.length} times, p50 ${Math.round(quantile(all, 0.5))} ms, worst ${Math.round(Math.max(...all))} ms`,
    ]),
  );
}
