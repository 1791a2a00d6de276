import { accountId } from '@orrery/units';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedOf } from './counted.ts';
import { NO_CONTRACTS } from '../testing/no-activity.ts';
import type { DayActivity } from './activity.ts';

const DAY = 86_400_000;

/** The rule a second time: for each day everybody's sum, and of it the part of the cap that is one's own. */
function naive(days: readonly DayActivity[], account: number, cap: number): number {
  let counted = 0;
  for (const dayAt of new Set(days.map((day) => day.dayAt))) {
    const ofDay = days.filter((day) => day.dayAt === dayAt);
    const all = ofDay.reduce((sum, { orders }) => sum + orders, 0);
    const own = ofDay.reduce((sum, day) => sum + (day.account === account ? day.orders : 0), 0);
    counted += all > cap ? Math.floor((own * cap) / all) : own;
  }
  return counted;
}

/** One row for an account and day, as history has them. */
const days = fc
  .uniqueArray(fc.record({ account: fc.integer({ min: 1, max: 4 }), day: fc.integer({ min: 0, max: 5 }), orders: fc.nat(60) }), {
    selector: ({ account, day }) => `${account} ${day}`,
  })
  .map((rows) =>
    rows.map(({ account, day, orders }) => ({
      account: accountId(account),
      dayAt: day * DAY,
      orders,
      trades: 0,
      volume: 0n,
      ...NO_CONTRACTS,
    })),
  );

test('F4: a task counts each UTC day of a cluster up to its cap, and never more in all', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 100 }), (rows, cap) => {
      const countOf = ({ orders }: DayActivity): bigint => BigInt(orders);
      const counted = [1, 2, 3, 4].map((account) => countedOf(rows, { account: accountId(account), cap: BigInt(cap), countOf }));
      expect(counted.map(Number)).toEqual([1, 2, 3, 4].map((account) => naive(rows, account, cap)));
      const active = new Set(rows.map(({ dayAt }) => dayAt)).size;
      expect(Number(counted.reduce((sum, each) => sum + each, 0n))).toBeLessThanOrEqual(active * cap);
    }),
  );
});
