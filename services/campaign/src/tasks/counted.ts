/** What counts towards a task of what an account did day by day, by the cap of its cluster and UTC day. */
import type { AccountId } from '@orrery/units';
import { cappedShare } from '../clusters/cap.ts';
import type { DayActivity } from './activity.ts';

interface Counting {
  readonly account: AccountId;
  /** Of one cluster and day. */
  readonly cap: bigint | undefined;
  readonly countOf: (day: DayActivity) => bigint;
}

/** What counts of one account's days, where `days` are those of its cluster. */
export function countedOf(days: readonly DayActivity[], { account, cap, countOf }: Counting): bigint {
  const together = new Map<number, bigint>();
  for (const day of days) together.set(day.dayAt, (together.get(day.dayAt) ?? 0n) + countOf(day));
  let sum = 0n;
  for (const day of days) {
    if (day.account !== account) continue;
    const own = countOf(day);
    sum += cap === undefined ? own : cappedShare({ own, all: together.get(day.dayAt) ?? own, cap });
  }
  return sum;
}
