import { describe, expect, test } from 'vitest';
import { HOUR, luckyGround, MIDNIGHT, SECOND, STRANGER } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { nameOf, seal, runAt } = ground;

describe('T10: what chance does not explain', () => {
  const alarmsOf = async () =>
    (await ground.lucky.operations.alarms()).map(({ kind, subject, period }) => `${kind} ${nameOf(subject)} ${period}`);

  test('T10: a producer whose every block is lucky raises an alarm for its day and month, and for the chain', async () => {
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

  test('T10: one lucky block in a few thousand raises none', async () => {
    for (let number = 0; number < 6_000; number++)
      ground.chain.seal({ at: MIDNIGHT + number * SECOND, prefix: '0xabcd', first: { sender: STRANGER } });
    seal('stranger', MIDNIGHT + 2 * HOUR);
    await runAt(MIDNIGHT + 3 * HOUR);
    expect(await alarmsOf()).toEqual([]);
  });
});
