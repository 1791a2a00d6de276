import { describe, expect, test } from 'vitest';
import { addressOf, ALICE, boardGround, BOB, call, CAROL, DAVE, DAY, HOUSE, MINUTE, reasonOf, THIS_WEEK } from '../testing/board-ground.ts';

const ground = boardGround();
const { trade, ranking, reopen, pointsOf, accountOf, principalOf } = ground;

const PAYDAY = Date.UTC(2026, 10, 30);
const NOTHING = { others: 0, evidence: [], takenBack: 0, appeal: null };

const asking = (n: number, more: object = {}) =>
  call({ principal: principalOf(n), body: { walletAddress: addressOf(n), campaignId: THIS_WEEK, ...more } });
const withheld = async (n: number) => ground.board.handlers.withheldAwards(asking(n));
const file = async (n: number, text: string) => ground.board.handlers.fileAppeal(asking(n, { text }));
const { appeals } = { appeals: () => ground.board.operations.appeals };
const decide = (appealId: number, decision: 'ACCEPTED' | 'DECLINED', answer = 'We have looked into it.') =>
  appeals().decide({ appealId, decision, answer });
const waiting = async () => (await appeals().list({ page: 1, size: 10 })).list;
const points = () => [ALICE, BOB, CAROL, DAVE].map(pointsOf);
const awards = () =>
  ground.heart.history
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.type === 'Awarded' ? [`${event.key.split(':').slice(0, 3).join(' ')} ${event.amount}`] : []));

/** alice and bob use one laptop, and bob bought most of what he has from alice. */
async function household(): Promise<void> {
  await trade(ALICE, HOUSE, { hundredths: 10 });
  await trade(BOB, ALICE, { hundredths: 30 });
  await trade(CAROL, HOUSE, { hundredths: 20 });
  ground.traces = [ALICE, BOB].map((n) => ({ account: accountOf(n), kind: 'DEVICE', mark: 'a laptop' }));
}

async function pay(): Promise<void> {
  ground.clock.now = PAYDAY;
  await ground.board.runDue();
}

describe('K1: the words of an appeal', () => {
  const row = () => ground.db.sql.selectFrom('campaign_appeal').selectAll().executeTakeFirstOrThrow();

  test('are shown to the person and the operators, lie open in no row, and are gone when the person is erased; the appeal stays', async () => {
    await household();
    await ranking();
    await file(ALICE, 'bob is my brother');
    expect((await waiting())[0]).toMatchObject({ address: addressOf(ALICE), text: 'bob is my brother' });
    const kept = await row();
    expect([kept.text, kept.sealed_text?.includes('brother')]).toEqual(['', false]);
    await ground.board.erase(accountOf(ALICE));
    await reopen();
    expect((await waiting())[0]).toMatchObject({ address: addressOf(ALICE), text: '', state: 'WAITING' });
    expect(await row()).toMatchObject({ text: '', sealed_text: null, answer: '' });
  });

  test('that lay open before there was a key per person are encrypted at the next start', async () => {
    await household();
    await ranking();
    await file(ALICE, 'bob is my brother');
    await ground.db.sql.updateTable('campaign_appeal').set({ text: 'bob is my brother', sealed_text: null }).execute();
    await reopen();
    expect((await row()).text).toBe('');
    expect((await waiting())[0]?.text).toBe('bob is my brother');
  });
});

describe('F4: a member of a cluster', () => {
  test('sees the reason and the number of members; everybody else sees that nothing was withheld', async () => {
    await household();
    expect(await ranking()).toEqual(['4: 10000 → 500', '2: 5000 → 100']);
    expect(await withheld(ALICE)).toEqual({ ...NOTHING, others: 1, evidence: ['DEVICE'] });
    expect(await withheld(CAROL)).toEqual(NOTHING);
    expect(await reasonOf(ground.board.handlers.withheldAwards(asking(ALICE, { walletAddress: addressOf(BOB) })) as Promise<unknown>)).toBe(
      'NotYours walletAddress',
    );
    await pay();
    expect(await withheld(BOB)).toEqual({ ...NOTHING, others: 1, evidence: ['DEVICE'] });
  });

  test('files one appeal, once, with words; an account from which nothing was withheld files none', async () => {
    await household();
    await ranking();
    expect(await reasonOf(file(CAROL, 'I want more'))).toBe('NotQualified ');
    expect(await reasonOf(file(ALICE, '   '))).toBe('MalformedField text');
    const emitted = { ...NOTHING, others: 1, evidence: ['DEVICE'] };
    const appeal = { text: 'bob is my brother', state: 'WAITING', answer: '', filedAt: ground.clock.now, decidedAt: null };
    expect(await Promise.all([file(ALICE, ' bob is my brother '), file(ALICE, 'bob is my brother')])).toEqual(
      [emitted, emitted].map((withheldOf) => ({ ...withheldOf, appeal })),
    );
    expect(await reasonOf(file(ALICE, 'and I forgot'))).toBe('KeyConflict text');
    expect(await waiting()).toMatchObject([
      { campaignId: THIS_WEEK, address: addressOf(ALICE), members: [addressOf(ALICE), addressOf(BOB)], evidence: ['DEVICE'] },
    ]);
  });

  test('reads why it was declined, and nothing changes', async () => {
    await household();
    await ranking();
    await file(ALICE, 'bob is my brother');
    const [appeal] = await waiting();
    const appealId = appeal?.appealId ?? 0;
    await decide(appealId, 'DECLINED', 'You share a wallet too.');
    await decide(appealId, 'DECLINED', 'You share a wallet too.');
    expect(await reasonOf(decide(appealId, 'ACCEPTED'))).toBe('UnknownThing appealId');
    expect(await reasonOf(decide(appealId + 1, 'ACCEPTED'))).toBe('UnknownThing appealId');
    expect((await withheld(ALICE)).appeal).toMatchObject({ state: 'DECLINED', answer: 'You share a wallet too.' });
    await pay();
    expect(points()).toEqual([100, 0, 500, 0]);
  });

  test('is one of separate people once it is accepted, and paid as such', async () => {
    await household();
    await ranking();
    await file(ALICE, 'bob is my brother');
    const [appeal] = await waiting();
    await decide(appeal?.appealId ?? 0, 'ACCEPTED', 'You are two people.');
    expect(await ranking()).toEqual(['2: 20000 → 500', '3: 15000 → 100', '4: 10000 → 100']);
    expect(await withheld(BOB)).toEqual(NOTHING);
    expect(await withheld(ALICE)).toMatchObject({ others: 0, appeal: { state: 'ACCEPTED', answer: 'You are two people.' } });
    await pay();
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 100, 0]);
    expect(awards().filter((award) => award.startsWith('appeal'))).toEqual([]);
  });
});

describe('F4: an appeal that is accepted after the prizes were paid', () => {
  const acceptLate = async (): Promise<number> => {
    await household();
    await pay();
    expect(points()).toEqual([100, 0, 500, 0]);
    await file(BOB, 'alice is my sister');
    const [appeal] = await waiting();
    return appeal?.appealId ?? 0;
  };

  test('pays the cluster what it was not given, once, and takes nothing from anybody', async () => {
    const appealId = await acceptLate();
    await Promise.all([decide(appealId, 'ACCEPTED'), decide(appealId, 'ACCEPTED')]);
    expect(points()).toEqual([500, 100, 500, 0]);
    await reopen();
    await ground.board.runDue();
    await decide(appealId, 'ACCEPTED');
    expect(points()).toEqual([500, 100, 500, 0]);
    expect(await withheld(ALICE)).toEqual(NOTHING);
    expect(awards().slice(-2)).toEqual([`appeal ${THIS_WEEK} VOLUME 400`, `appeal ${THIS_WEEK} VOLUME 100`]);
    expect((await ground.awards.news(accountOf(BOB))).map(({ kind, points: given }) => [kind, given])).toEqual([['LEADERBOARD', 100]]);
  });

  test('killed after it was decided and before it was paid, or paid and not noted, it pays once', async () => {
    const appealId = await acceptLate();
    ground.heart.fail();
    await decide(appealId, 'ACCEPTED');
    expect(ground.troubles.splice(0)).toHaveLength(1);
    ground.heart.recover();
    expect(points()).toEqual([100, 0, 500, 0]);
    await reopen();
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 500, 0]);
    await ground.db.sql.updateTable('campaign_appeal').set({ settled_at: null }).execute();
    await reopen();
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 500, 0]);
  });

  test('waits for an empty budget to be filled', async () => {
    const appealId = await acceptLate();
    // The day's budget is filled up to what it has: of 600 points 600 are given.
    await reopen(600);
    ground.clock.now = PAYDAY + DAY;
    await drain();
    await decide(appealId, 'ACCEPTED');
    expect(ground.troubles.splice(0).length).toBeGreaterThan(0);
    expect(points()).toEqual([100, 0, 500, 0]);
    ground.clock.now = PAYDAY + 2 * DAY;
    await ground.board.runDue();
    expect(points()).toEqual([500, 100, 500, 0]);
  });

  test('gives back a prize that was taken back, without any cluster too', async () => {
    await trade(CAROL, HOUSE, { hundredths: 20 });
    await pay();
    expect(points()).toEqual([0, 0, 500, 0]);
    await ground.awards.reverse({ key: `board:${THIS_WEEK}:VOLUME:${addressOf(CAROL)}`, reason: 'a ring' });
    expect(points()).toEqual([0, 0, 0, 0]);
    expect(await withheld(CAROL)).toEqual({ ...NOTHING, takenBack: 500 });
    await file(CAROL, 'I trade alone');
    const [appeal] = await waiting();
    await decide(appeal?.appealId ?? 0, 'ACCEPTED');
    expect(points()).toEqual([0, 0, 500, 0]);
  });

  /** Nothing is left of what the day has: the budget held 600 of its own, and more from before. */
  async function drain(): Promise<void> {
    await ground.awards.fundToday();
    const { give } = {
      give: (key: string, amount: number) =>
        ground.awards.give({ key, account: accountOf(HOUSE), kind: 'MANUAL', name: { en: 'x' }, points: amount, at: ground.clock.now }),
    };
    for (let n = 0, amount = 77_777; amount > 0; n += 1) {
      const given = await give(`drain:${n}`, amount).then(
        () => true,
        () => false,
      );
      if (!given) amount = Math.floor(amount / 2);
    }
    ground.clock.now += MINUTE;
  }
});
