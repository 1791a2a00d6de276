import { accountId, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { Chance } from '../../../../core/engine/src/testing/chance.ts';
import { AccountLog, type Logged } from './account-log.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);

const itemOf = (at: number, account: number): Logged => ({ seq: seq(at), account: accountId(account) });

test(`what is kept is complete from the command that is said, and never more than there was, seed ${SEED}`, () => {
  const chance = new Chance(SEED);
  const log = new AccountLog(seq(5), 50);
  const all: Logged[] = [];
  for (let at = 5; at < 400; at += chance.between(1, 3)) {
    const items = Array.from({ length: chance.between(1, 6) }, () => itemOf(at, chance.between(1, 3)));
    for (const item of items) log.note(item);
    all.push(...items);
    const [account, from] = [accountId(chance.between(1, 3)), chance.between(0, at + 2)];
    const missed = log.of(account, from);
    expect(missed.from).toBeGreaterThanOrEqual(from);
    expect(missed.items).toEqual(all.filter((item) => item.account === account && item.seq >= missed.from));
    // At least as many as are kept are there.
    const oldest = all.at(-50)?.seq ?? 5;
    expect(missed.from).toBeLessThanOrEqual(Math.max(from, oldest + 1));
  }
});

test('of an account that traded more than a thousand times the newest whole commands are sent', () => {
  const log = new AccountLog(seq(1), 10_000);
  for (let at = 1; at <= 600; at += 1) log.note(itemOf(at, 1), itemOf(at, 1));
  const { from, items } = log.of(accountId(1), 1);
  expect([from, items.length, items[0]?.seq]).toEqual([101, 1_000, 101]);
  expect(log.of(accountId(2), 1)).toEqual({ from: 1, items: [] });
});
