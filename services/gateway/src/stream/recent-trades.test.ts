import { accountId, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { Chance } from '../../../../core/engine/src/testing/chance.ts';
import { type NumberedSide, RecentTrades } from './recent-trades.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);

const sideOf = (at: number, account: number): NumberedSide =>
  ({ seq: seq(at), account: accountId(account), role: 'TAKER' }) as unknown as NumberedSide;

test(`what is kept is complete from the command that is said, and never more than there was, seed ${SEED}`, () => {
  const chance = new Chance(SEED);
  const recent = new RecentTrades(seq(5), 50);
  const all: NumberedSide[] = [];
  for (let at = 5; at < 400; at += chance.between(1, 3)) {
    const sides = Array.from({ length: chance.between(1, 6) }, () => sideOf(at, chance.between(1, 3)));
    for (const side of sides) recent.note(side);
    all.push(...sides);
    const [account, from] = [accountId(chance.between(1, 3)), chance.between(0, at + 2)];
    const missed = recent.of(account, from);
    expect(missed.from).toBeGreaterThanOrEqual(from);
    expect(missed.sides).toEqual(all.filter((side) => side.account === account && side.seq >= missed.from));
    // At least as many as are kept are there.
    const oldest = all.at(-50)?.seq ?? 5;
    expect(missed.from).toBeLessThanOrEqual(Math.max(from, oldest + 1));
  }
});

test('of an account that traded more than a thousand times the newest whole commands are sent', () => {
  const recent = new RecentTrades(seq(1), 10_000);
  for (let at = 1; at <= 600; at += 1) recent.note(sideOf(at, 1), sideOf(at, 1));
  const { from, sides } = recent.of(accountId(1), 1);
  expect([from, sides.length, sides[0]?.seq]).toEqual([101, 1_000, 101]);
  expect(recent.of(accountId(2), 1)).toEqual({ from: 1, sides: [] });
});
