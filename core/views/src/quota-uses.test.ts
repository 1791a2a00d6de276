import { expect, test } from 'vitest';
import { accountId, atoms, millis, seq } from '@orrery/units';
import { load } from './fold.ts';
import { QuotaUsesView } from './quota-uses.ts';

const DAY = 86_400_000;
const ALICE = accountId(1);
const used = (account: number, since: number, worth: bigint) =>
  ({ type: 'QuotaUsed', account: accountId(account), since: millis(since), worth: atoms(worth) }) as const;

test('what counts toward quotas is that of the last 24 hours, by the last event of each time', () => {
  const view = new QuotaUsesView();
  load({ seq: seq(1), facts: [used(1, 10, 50n), used(2, 10, 7n)] }, view);
  const at = (time: number): bigint => view.used(ALICE, millis(time));
  expect(at(10)).toBe(50n);
  view.apply(used(1, 20, 5n));
  view.apply(used(1, 20, 6n));
  expect([at(20), at(10 + DAY - 1), at(10 + DAY), at(20 + DAY - 1), at(20 + DAY)]).toEqual([56n, 56n, 6n, 6n, 0n]);
  // A refund of the older one.
  view.apply(used(1, 10, 0n));
  expect(at(30)).toBe(6n);
  view.apply(used(2, 20 + DAY, 1n));
  expect(at(30)).toBe(0n);
  expect(view.used(accountId(2), millis(20 + DAY))).toBe(1n);
  expect(view.used(accountId(3), millis(0))).toBe(0n);
});
