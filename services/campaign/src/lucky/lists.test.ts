import { type Principal } from '@orrery/api';
import { millis } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { call, DAY, HOUR, luckyGround, MIDNIGHT, NOON, OPERATOR, SECOND } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { person, addressOf, trade, seal, runAt, listed } = ground;

describe('[T11] the lists', () => {
  const principal = (name: string): Principal => ({
    ...person(name),
    via: 'session',
    credential: 's',
    permission: 'TRADE',
    tier: 'standard',
    endsAt: millis(0),
  });

  test('[T11] every lucky block by pages, newest first, with hashes and times in seconds', async () => {
    trade('alice', MIDNIGHT);
    for (let hour = 1; hour <= 11; hour++) seal(hour % 2 === 0 ? 'alice' : 'bob', MIDNIGHT + hour * HOUR + 1);
    await runAt(NOON);
    const second = await ground.lucky.handlers.luckyBlocks(call({ body: { page: 2, pageSize: 10 } }));
    expect([second.total, second.list.map(({ blockId }) => blockId)]).toEqual([11, [1]]);
    const [, newest] = await listed();
    expect(newest).toEqual({
      blockId: 10,
      blockHash: `0x7777${'a'.padStart(60, 'b')}`,
      txHash: `0x${'a'.padStart(64, '0')}`,
      blockTime: MIDNIGHT / SECOND + 36_000,
      createdTime: MIDNIGHT / SECOND + 36_000,
      winner: addressOf('alice'),
      points: 0,
      decision: 'REFUSED',
      reason: 'already rewarded on this day (UTC)',
    });
  });

  test("[T11] one's own, and nobody else's", async () => {
    trade('alice', MIDNIGHT);
    for (const name of ['alice', 'bob', 'alice']) seal(name, MIDNIGHT + HOUR);
    await runAt(NOON);
    const ask = (name: string) =>
      ground.lucky.handlers.ownLuckyBlocks(call({ principal: principal('alice'), body: { walletAddress: addressOf(name) } }));
    const own = await ask('alice');
    expect(own.list.map(({ blockId, points }) => [blockId, points])).toEqual([
      [3, 0],
      [1, 77_777],
    ]);
    expect(own.total).toBe(2);
    await expect(Promise.resolve().then(() => ask('bob'))).rejects.toMatchObject({ data: { reason: 'NotYours' } });
  });

  test('[T11] the rule is published with its ten prefixes, the excluded addresses, and who seals the blocks', async () => {
    ground.clock.now = NOON;
    const rules = await ground.lucky.handlers.luckyBlockRules(call({}));
    expect(rules).toMatchObject({
      points: 77_777,
      winnersPerDay: 20,
      isPaused: false,
      announcedAt: '12:00 UTC',
      excluded: [OPERATOR],
      nextAnnouncementAt: NOON + DAY,
    });
    expect(rules.prefixes).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => `0x${digit.repeat(4)}`));
    expect(rules.disclosure).toContain('One reward for an address and UTC day of block time, and one for a cluster');
    expect(rules.disclosure).toContain('The exchange itself seals the blocks');
  });
});
