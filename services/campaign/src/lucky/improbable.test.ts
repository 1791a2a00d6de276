import { describe, expect, test } from 'vitest';
import { call, DAY, HOUR, luckyGround, MIDNIGHT, NOON, SECOND, STRANGER } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { nameOf, seal, runAt } = ground;

describe('[T10] what chance does not explain', () => {
  test('more lucky blocks than chance explains pause the awards until an operator has looked, over a restart; one more pauses them again', async () => {
    const { trade, paid, awardOf, reopen, tape } = ground;
    trade('alice', MIDNIGHT);
    trade('bob', MIDNIGHT);
    for (let number = 0; number < 40; number++) seal('stranger', MIDNIGHT + HOUR);
    seal('alice', MIDNIGHT + 2 * HOUR);
    await runAt(NOON);
    expect(paid()).toEqual([]);
    expect((await tape()).at(-1)).toMatch(/^alice WAITING: won; awards are paused/);
    await reopen();
    await runAt(NOON + HOUR);
    expect(paid()).toEqual([]);
    const { operations, handlers } = ground.lucky;
    expect(await handlers.luckyBlockRules(call({}))).toMatchObject({ isPaused: true });
    await expect(operations.resume({ period: '2026-11-22', blocks: 41 })).rejects.toMatchObject({ data: { reason: 'UnknownThing' } });
    expect((await operations.alarms()).find(({ kind }) => kind === 'CHAIN')).toMatchObject({ blocks: 41, pausesAwards: true });
    await operations.resume({ period: '2026-11-23', blocks: 40 });
    await runAt(NOON + HOUR + SECOND);
    expect(paid()).toEqual([]);
    // No number that is not there yet is looked at.
    await operations.resume({ period: '2026-11-23', blocks: 1_000 });
    await runAt(NOON + HOUR + 2 * SECOND);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await handlers.luckyBlockRules(call({}))).toMatchObject({ isPaused: false });
    seal('bob', NOON - SECOND);
    await runAt(NOON + DAY);
    expect(paid()).toHaveLength(1);
    expect((await operations.alarms()).find(({ kind }) => kind === 'CHAIN')).toMatchObject({ blocks: 42, pausesAwards: true });
  });

  const alarmsOf = async () =>
    (await ground.lucky.operations.alarms()).map(({ kind, subject, period }) => `${kind} ${nameOf(subject)} ${period}`);

  test('[T10] a producer whose every block is lucky raises an alarm for its day and month, and for the chain', async () => {
    ground.chain.ordinaryBlocks = 0;
    for (let hour = 1; hour <= 3; hour++) seal('stranger', MIDNIGHT + hour * HOUR);
    await runAt(MIDNIGHT + 4 * HOUR);
    expect((await alarmsOf()).toSorted()).toEqual([
      'CHAIN every block 2026-11-23',
      `SENDER ${STRANGER} 2026-11`,
      `SENDER ${STRANGER} 2026-11-23`,
    ]);
    seal('stranger', MIDNIGHT + 5 * HOUR);
    await runAt(MIDNIGHT + 6 * HOUR);
    const alarms = await ground.lucky.operations.alarms();
    expect(alarms.map(({ blocks, expected }) => `${blocks} for ${expected}`)).toEqual(Array<string>(3).fill('4 for 0.0006'));
    expect(alarms.map(({ sentence }) => sentence)).toContain(
      `of the blocks that began with a chain transaction of ${STRANGER} in 2026-11 4 of 4 were lucky: chance does so with a probability of 5.4e-16`,
    );
    expect(ground.troubles).toHaveLength(3);
  });

  test('[T10] one lucky block in a few thousand raises none', async () => {
    for (let number = 0; number < 6_000; number++)
      ground.chain.seal({ at: MIDNIGHT + number * SECOND, prefix: '0xabcd', first: { sender: STRANGER } });
    seal('stranger', MIDNIGHT + 2 * HOUR);
    await runAt(MIDNIGHT + 3 * HOUR);
    expect(await alarmsOf()).toEqual([]);
  });
});
