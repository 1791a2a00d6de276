import { describe, expect, test } from 'vitest';
import { boardGround, DAY, NOW, reasonOf, THIS_WEEK, WEEK } from '../testing/board-ground.ts';
import { lastMonday } from './periods.ts';

const ground = boardGround();
const { reopen, campaigns } = ground;

describe('[T12] campaigns', () => {
  test('one runs each week from Monday 00:00 UTC, the next is there before; each is made once across restarts', async () => {
    const emitted = async () => (await campaigns()).map(({ campaignId, state }) => `${campaignId} ${state}`);
    expect(await emitted()).toEqual(['week-2026-11-23 UPCOMING', `${THIS_WEEK} RUNNING`]);
    await reopen();
    await ground.board.runDue();
    expect(await emitted()).toEqual(['week-2026-11-23 UPCOMING', `${THIS_WEEK} RUNNING`]);
    ground.clock.now = Date.UTC(2026, 10, 23);
    await Promise.all([ground.board.runDue(), ground.board.runDue()]);
    expect(await emitted()).toEqual(['week-2026-11-30 UPCOMING', 'week-2026-11-23 RUNNING', `${THIS_WEEK} REVIEW`]);
    const [, , first] = await campaigns();
    expect(first).toMatchObject({
      name: '{"en":"Weekly leaderboard, 2026-11-16"}',
      startsAt: Date.UTC(2026, 10, 16),
      endsAt: Date.UTC(2026, 10, 23),
      paysAt: Date.UTC(2026, 10, 30),
      boards: ['VOLUME', 'PNL'],
    });
  });

  test.each([
    ['2026-11-16T00:00:00.000Z', '2026-11-16'],
    ['2026-11-22T23:59:59.999Z', '2026-11-16'],
    ['2026-11-15T23:59:59.999Z', '2026-11-09'],
  ])('the Monday of %s is %s', (at, monday) => expect(new Date(lastMonday(Date.parse(at))).toISOString().slice(0, 10)).toBe(monday));

  test('an operator makes one and ends it before its time; what can not be is refused by its field', async () => {
    const { campaigns: operations } = ground.board.operations;
    const wanted = {
      campaignId: 'launch',
      name: { en: 'Launch' },
      startsAt: NOW + DAY,
      endsAt: NOW + 2 * DAY,
      boards: ['VOLUME'],
      prizes: [{ fromRank: 1, toRank: 1, points: 77_777 }],
    } as const;
    for (const [change, field] of [
      [{ campaignId: 'Launch!' }, 'campaignId'],
      [{ name: { en: ' ' } }, 'name'],
      [{ startsAt: NOW }, 'startsAt'],
      [{ endsAt: NOW + DAY }, 'endsAt'],
      [{ boards: [] }, 'boards'],
      [{ boards: ['PNL', 'PNL'] }, 'boards'],
      [{ prizes: [{ fromRank: 1, toRank: 1, points: 77_778 }] }, 'prizes'],
      [{ prizes: [{ fromRank: 2, toRank: 1, points: 1 }] }, 'prizes'],
      [
        {
          prizes: [
            { fromRank: 1, toRank: 2, points: 1 },
            { fromRank: 2, toRank: 3, points: 1 },
          ],
        },
        'prizes',
      ],
    ] as const)
      expect(await reasonOf(operations.create({ ...wanted, ...change }))).toBe(`MalformedField ${field}`);
    await operations.create(wanted);
    await operations.create(wanted);
    expect(operations.list().filter(({ campaignId }) => campaignId === 'launch')).toHaveLength(1);
    expect(await reasonOf(operations.create({ ...wanted, name: { en: 'Another launch' } }))).toBe('KeyConflict campaignId');
    expect(operations.list().find(({ campaignId }) => campaignId === 'launch')).toMatchObject({
      state: 'UPCOMING',
      paysAt: NOW + 2 * DAY + WEEK,
    });
    ground.clock.now = NOW + DAY + 1;
    await operations.stop('launch');
    expect(operations.list().find(({ campaignId }) => campaignId === 'launch')).toMatchObject({ state: 'REVIEW', endsAt: NOW + DAY + 1 });
    expect(await reasonOf(operations.stop('launch'))).toBe('UnknownThing campaignId');
    expect(await reasonOf(operations.stop('nothing'))).toBe('UnknownThing campaignId');
  });
});
