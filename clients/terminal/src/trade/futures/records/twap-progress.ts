/** How far a TWAP has come: its parts are placed at equal distances, so that its time says it. Pure. */
import type { Twap } from '@orrery/api';

const MINUTE_MS = 60_000;

export interface TwapProgress {
  /** Whole minutes that have passed. */
  readonly minutes: number;
  /** Whole per cents from 0 to 100. */
  readonly percent: number;
}

/**
 * @param now unix milliseconds; the clock of a browser may be behind the exchange's
 */
export function twapProgress({ createdTime, minutes }: Pick<Twap, 'createdTime' | 'minutes'>, now: number): TwapProgress {
  const passed = Math.min(Math.max(now - createdTime, 0), minutes * MINUTE_MS);
  return { minutes: Math.floor(passed / MINUTE_MS), percent: Math.floor((100 * passed) / (minutes * MINUTE_MS)) };
}
