import { beforeEach, describe, expect, test } from 'vitest';
import { addressOf, ALICE, boardGround, BOB, CAROL, DAVE, DAY, HOUSE, MINUTE, SECOND, THIS_WEEK } from '../testing/board-ground.ts';

const ground = boardGround();
const { trade, reopen, ranking, rankingAsKept, campaigns, pointsOf, accountOf } = ground;

describe('F4: payout', () => {
  const payday = Date.UTC(2026, 10, 30);

  beforeEach(async () => {
    await trade(ALICE, HOUSE, { hundredths: 30 });
    await trade(BOB, HOUSE, { hundredths: 20 });
    await trade(CAROL, HOUSE, { hundredths: 10 });
  });

  const points = () => [ALICE, BOB, CAROL, DAVE].map(pointsOf);

  test('is paid after the review, once, to every winner on a board', async () => {
    ground.clock.now = payday - 1;
    await ground.board.runDue();
    expect(points()).toEqual([0, 0, 0, 0]);
    ground.clock.now = payday;
    await Promise.all([ground.board.runDue(), ground.board.runDue()]);
    expect(points()).toEqual([500, 100, 100, 0]);
    await reopen();
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('PAID');
    expect((await ground.awards.news(accountOf(ALICE))).map(({ key, kind, name }) => [key, kind, name.en])).toEqual([
      [`board:${THIS_WEEK}:VOLUME:${addressOf(ALICE)}`, 'LEADERBOARD', 'Weekly leaderboard, 2026-11-16: rank 1'],
    ]);
    expect(await ranking()).toEqual(['2: 15000 → 500', '3: 10000 → 100', '4: 5000 → 100']);
  });

  test('goes by no rank and no cluster that was kept: a ring that shows in the last second gets nothing for it', async () => {
    await trade(DAVE, BOB, { hundredths: 90 });
    const before = ['3: 55000 → 500', '5: 45000 → 100', '2: 15000 → 100', '4: 5000 → 0'];
    ground.clock.now = payday - 10 * MINUTE - SECOND;
    expect(await ranking()).toEqual(before);
    ground.links = [BOB, DAVE].map((n) => ({ address: addressOf(n), counterparty: addressOf(0xbb) }));
    ground.clock.now = payday;
    expect(await rankingAsKept()).toEqual(before);
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
  });

  test('goes on where it was interrupted, and waits for an empty budget to be filled', async () => {
    await reopen(550);
    ground.clock.now = payday;
    await ground.board.runDue();
    expect(ground.troubles.splice(0)).toHaveLength(1);
    expect(points()).toEqual([500, 0, 0, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('REVIEW');
    ground.clock.now = payday + DAY;
    await reopen(550);
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
  });

  test('leaves out who was blocked after the ranks were decided, and pays the others', async () => {
    await reopen(10);
    ground.clock.now = payday;
    await ground.board.runDue();
    expect(ground.troubles.splice(0)).toHaveLength(1);
    await ground.heart.submit({ type: 'SetAccountFlag', account: accountOf(ALICE), flag: 'blocked', value: true });
    ground.clock.now = payday + DAY;
    await reopen();
    await ground.board.runDue();
    expect(points()).toEqual([0, 100, 100, 0]);
    expect((await campaigns()).find(({ campaignId }) => campaignId === THIS_WEEK)?.state).toBe('PAID');
  });
});
