import { describe, expect, test } from 'vitest';
import { DAY, HOUR, luckyGround, MIDNIGHT, NOON } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { reopen, trade, seal, runAt, paid, awardOf, tape } = ground;

describe('[T10] a lucky block that the chain takes back', () => {
  test('D2: before the announcement wins nothing; its successor does', async () => {
    trade('alice', MIDNIGHT);
    trade('bob', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    ground.chain.takeBack(gone);
    seal('bob', MIDNIGHT + HOUR);
    await runAt(NOON);
    expect(paid()).toEqual([awardOf('bob', '2026-11-23')]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back', 'bob PAID']);
  });

  test('D2: a decided and unpaid block is dropped, and the next of the day wins; when it comes back it is decided again', async () => {
    await reopen({ pointsPerDay: 1 });
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    expect(await tape()).toEqual(['alice WAITING: won; the points are on their way']);
    ground.chain.takeBack(gone);
    seal('alice', NOON + HOUR);
    await reopen();
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back', 'alice PAID']);
    ground.chain.giveBack(gone);
    await runAt(NOON + 2 * DAY);
    expect(paid()).toHaveLength(1);
    expect(await tape()).toEqual(['alice REFUSED: already rewarded on this day (UTC)', 'alice PAID']);
  });

  test('D2: decided and not paid, and taken back with nothing in its place, is never paid', async () => {
    await reopen({ pointsPerDay: 1 });
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    ground.chain.takeBack(gone);
    await reopen();
    await runAt(NOON + DAY);
    expect(paid()).toEqual([]);
    expect(await tape()).toEqual(['alice REORGED: the chain took the block back']);
  });

  test('D2: after it was paid an alarm is raised, once, and the day stays rewarded', async () => {
    trade('alice', MIDNIGHT);
    const gone = seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON);
    ground.chain.takeBack(gone);
    seal('alice', NOON + HOUR);
    await runAt(NOON + DAY);
    await runAt(NOON + 2 * DAY);
    expect(paid()).toHaveLength(1);
    expect(await tape()).toEqual([
      'alice REORGED: the chain took the block back after it was paid',
      'alice REFUSED: already rewarded on this day (UTC)',
    ]);
    const alarms = await ground.lucky.operations.alarms();
    expect(alarms.map(({ kind, subject, period, address }) => [kind, subject, period, address])).toEqual([
      ['REORGED', gone, '2026-11-23', ''],
    ]);
    expect(ground.troubles).toHaveLength(1);
  });
});
