/** The period in which a task counts: all time, the UTC day, or the UTC week from Monday. */
import type { TaskPeriod } from '@orrery/api';
import { unreachable } from '@orrery/units';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 5 January 1970 was the first Monday. */
const FIRST_MONDAY = 4 * DAY_MS;

export interface PeriodNow {
  /** Names it in the key of an award: one award for each. */
  readonly key: string;
  /** Unix milliseconds; 0 for all time. */
  readonly from: number;
}

export function periodAt(period: TaskPeriod, now: number): PeriodNow {
  switch (period) {
    case 'ONCE':
      return { key: 'ONCE', from: 0 };
    case 'DAILY':
      return since(now - (now % DAY_MS));
    case 'WEEKLY':
      return since(now - ((now - FIRST_MONDAY) % WEEK_MS));
    default:
      return unreachable(period);
  }
}

const since = (from: number): PeriodNow => ({ key: new Date(from).toISOString().slice(0, 10), from });
