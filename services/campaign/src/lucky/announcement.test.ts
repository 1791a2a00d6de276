import { LUCKY_PREFIXES } from '@orrery/api';
import { describe, expect, test } from 'vitest';
import { WINNERS_PER_DAY } from './rule.ts';
import { DAY, HOUR, luckyGround, MIDNIGHT, NOON, OPERATOR, SECOND, STRANGER } from '../testing/lucky-ground.ts';

const ground = luckyGround();
const { open, reopen, person, addressOf, trade, seal, runAt, paid, awardOf, tape } = ground;

describe('[T10] the announcement of lucky blocks', () => {
  test('[T10] pays 77,777 points for each of the ten prefixes, and nothing for 0xaaaa', async () => {
    let at = MIDNIGHT;
    for (const prefix of [...LUCKY_PREFIXES, '0xaaaa']) {
      trade('alice', at);
      ground.chain.seal({ prefix, at: at + HOUR, first: { sender: addressOf('alice') } });
      await runAt(at + 12 * HOUR);
      at += DAY;
    }
    expect(paid()).toEqual(LUCKY_PREFIXES.map((_, day) => awardOf('alice', new Date(MIDNIGHT + day * DAY).toISOString().slice(0, 10))));
    expect(await ground.awards.total(person('alice').account)).toBe(777_770);
  });

  test('[T10] comes at 12:00 UTC; before it everything waits', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    await runAt(NOON - 1);
    expect(await tape()).toEqual(['alice WAITING: to be announced at 2026-11-23T12:00:00.000Z']);
    await runAt(NOON);
    expect(await tape()).toEqual(['alice PAID']);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
  });

  test('[T10] the clock is block time: 11:59:59 is of this announcement, 12:00:00 of the next; 23:59:59 and 00:00:00 are two days', async () => {
    const [alice, bob] = ['alice', 'bob'];
    for (const at of [MIDNIGHT, NOON, MIDNIGHT + DAY, NOON + DAY]) for (const name of [alice, bob]) trade(name, at);
    seal(alice, NOON - SECOND);
    seal(bob, NOON);
    seal(bob, MIDNIGHT + DAY - SECOND);
    seal(alice, MIDNIGHT + DAY);
    await runAt(NOON);
    expect(paid()).toEqual([awardOf(alice, '2026-11-23')]);
    await runAt(NOON + DAY - 1);
    expect(paid()).toHaveLength(1);
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf(alice, '2026-11-23'), awardOf(bob, '2026-11-23'), awardOf(alice, '2026-11-24')]);
    expect((await tape())[2]).toBe('bob REFUSED: already rewarded on this day (UTC)');
  });

  test('[T10] two in one day are one reward, also when the announcement lies between them', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    seal('alice', MIDNIGHT + 2 * HOUR);
    seal('alice', NOON + HOUR);
    await runAt(NOON);
    await runAt(NOON + DAY);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice PAID', ...Array<string>(2).fill('alice REFUSED: already rewarded on this day (UTC)')]);
  });

  test('F2: a refusal has its reason, and does not use up the day', async () => {
    for (const name of ['alice', 'bob', 'carol']) trade(name, MIDNIGHT);
    await ground.heart.submit({ type: 'SetAccountFlag', account: person('bob').account, flag: 'blocked', value: true });
    await expect.poll(() => ground.members.get(person('bob').account)?.flags.blocked).toBe(true);
    trade('dave', MIDNIGHT - 1);
    trade('dave', MIDNIGHT + HOUR, 0n);
    trade('dave', NOON);
    ground.chain.seal({ at: MIDNIGHT + HOUR });
    for (const name of ['operator', 'stranger', 'bob', 'dave']) seal(name, MIDNIGHT + HOUR);
    seal('alice', MIDNIGHT + HOUR, { recipient: addressOf('alice') });
    seal('alice', MIDNIGHT + HOUR, { value: 0n });
    seal('alice', MIDNIGHT + HOUR, { value: 0n, hasData: true });
    seal('carol', MIDNIGHT + HOUR, { recipient: addressOf('carol'), hasData: true });
    await runAt(NOON);
    expect(await tape()).toEqual([
      'null REFUSED: the block has no chain transaction',
      `${OPERATOR} REFUSED: the sender belongs to the exchange`,
      `${STRANGER} REFUSED: the sender has no account here`,
      'bob REFUSED: the account is blocked',
      'dave REFUSED: no trade with a fee on this day (UTC)',
      'alice REFUSED: the chain transaction goes from the sender to itself',
      'alice REFUSED: the chain transaction is empty',
      'alice PAID',
      'carol REFUSED: the chain transaction goes from the sender to itself',
    ]);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
  });

  test('[T10] days that were missed are made up for, exactly once, and as they would have been decided in time', async () => {
    trade('alice', MIDNIGHT);
    // Too late for the announcement to which her block belongs.
    trade('bob', NOON);
    seal('alice', MIDNIGHT + HOUR);
    seal('bob', MIDNIGHT + HOUR);
    trade('alice', MIDNIGHT + DAY);
    seal('alice', MIDNIGHT + DAY + HOUR);
    await reopen();
    ground.lucky.start();
    await runAt(NOON + 3 * DAY + HOUR);
    await reopen();
    await Promise.all([runAt(NOON + 4 * DAY), ground.lucky.operations.runDue(), ground.lucky.operations.runDue()]);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23'), awardOf('alice', '2026-11-24')]);
    expect((await tape())[1]).toBe('bob REFUSED: no trade with a fee on this day (UTC)');
  });

  test('[T10] waits until the chain is read as far as the announcement; a stop does not wait', async () => {
    trade('alice', MIDNIGHT);
    ground.chain.isRead = false;
    ground.clock.now = NOON;
    const running = ground.lucky.operations.runDue();
    await expect.poll(() => ground.chain.isAwaited).toBe(true);
    seal('alice', MIDNIGHT + HOUR);
    expect(paid()).toEqual([]);
    ground.chain.read();
    await running;
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    ground.chain.isRead = false;
    ground.clock.now = NOON + DAY;
    const second = ground.lucky.operations.runDue();
    await ground.lucky.stop();
    await second;
  });

  test('F2: a program that dies between deciding and paying pays once', async () => {
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + HOUR);
    ground.clock.now = NOON;
    ground.heart.fail();
    await expect(ground.lucky.operations.runDue()).rejects.toThrow('the heart has stopped');
    expect(await tape()).toEqual(['alice WAITING: won; the points are on their way']);
    ground.heart.recover();
    await reopen();
    await runAt(NOON + SECOND);
    // Paid, and dead before that was noted.
    await ground.db.sql.updateTable('campaign_lucky_decision').set({ paid_at: null }).execute();
    await reopen();
    await runAt(NOON + 2 * SECOND);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(await tape()).toEqual(['alice PAID']);
  });

  test('M10: with an empty budget the winner waits for the next day', async () => {
    await reopen({ pointsPerDay: 100_000 });
    for (const name of ['alice', 'bob']) {
      trade(name, MIDNIGHT);
      seal(name, MIDNIGHT + HOUR);
    }
    await runAt(NOON);
    expect(await tape()).toEqual(['alice PAID', 'bob WAITING: won; the points are on their way']);
    expect(ground.troubles.filter((trouble) => trouble.includes("today's rewards are all given"))).toHaveLength(1);
    await runAt(MIDNIGHT + DAY);
    expect(await tape()).toEqual(['alice PAID', 'bob PAID']);
    expect(await ground.awards.news(person('bob').account)).toMatchObject([
      { kind: 'LUCKY_BLOCK', points: 77_777, name: { en: 'Lucky Block' } },
    ]);
  });

  test('no more than 20 win on one UTC day, in the order of the blocks', async () => {
    ground.chain.ordinaryBlocks = 10_000_000;
    const names = Array.from({ length: WINNERS_PER_DAY + 2 }, (_, index) => `winner-${index}`);
    for (const name of names) {
      await ground.join(name);
      trade(name, MIDNIGHT);
      trade(name, MIDNIGHT + DAY);
      seal(name, MIDNIGHT + HOUR);
    }
    await runAt(NOON);
    expect(await tape()).toEqual([
      ...names.slice(0, WINNERS_PER_DAY).map((name) => `${name} PAID`),
      ...names.slice(WINNERS_PER_DAY).map((name) => `${name} REFUSED: all 20 rewards of this day (UTC) are given`),
    ]);
    seal(names.at(-1)!, MIDNIGHT + DAY + HOUR);
    await runAt(NOON + DAY);
    expect(paid().at(-1)).toBe(awardOf(names.at(-1)!, '2026-11-24'));
  });

  test('[T10] at another time when so configured', async () => {
    await reopen({ announcedAt: '*/10 * * * * *' });
    trade('alice', MIDNIGHT);
    seal('alice', MIDNIGHT + 12 * SECOND);
    await runAt(MIDNIGHT + 19 * SECOND);
    expect(paid()).toEqual([]);
    await runAt(MIDNIGHT + 20 * SECOND);
    expect(paid()).toEqual([awardOf('alice', '2026-11-23')]);
    expect(() => open({ announcedAt: 'at noon' })).toThrow();
    expect(() => open({ announcedAt: '0 0 30 2 *' })).toThrow();
  });
});
