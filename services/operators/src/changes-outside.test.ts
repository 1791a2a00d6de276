import { describe, expect, test } from 'vitest';
import { ApiError } from '@orrery/api';
import { maskedAddress } from './privacy.ts';
import { inAnOffice } from './testing/in-an-office.ts';
import { LISTED, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const MINUTE = 60_000;

let office: Office;
inAnOffice((opened) => {
  office = opened;
});

const operator = () => office.operators.handlers.operator;

describe('[A10] changes outside', () => {
  const blockedIn = (address: string): boolean => {
    const opened = office.heart.history.findLast(({ command }) => command.type === 'OpenAccount' && command.address === address);
    const account = opened?.events[0]?.type === 'AccountOpened' ? opened.events[0].account : undefined;
    const flagged = office.heart.history.findLast(({ command }) => command.type === 'SetAccountFlag' && command.account === account);
    return flagged?.command.type === 'SetAccountFlag' && flagged.command.value;
  };

  test('an address is blocked and let go; the list says by whom and why, and those of the installation', async () => {
    const { bob } = await people(office);
    const { blockDesk } = office.operators.handlers;
    await bob.call(blockDesk.blockAddress, { body: { address: CAROL, reason: 'wash trading' } });
    expect(blockedIn(CAROL)).toBe(true);
    expect(await bob.call(blockDesk.blockedAddresses)).toEqual({
      list: [
        { address: CAROL, listed: false, blockedBy: 'bob', reason: 'wash trading', at: office.clock.now },
        { address: LISTED, listed: true, blockedBy: null, reason: '', at: null },
      ],
      total: 2,
    });
    expect(await refusalOf(bob.call(blockDesk.blockAddress, { body: { address: CAROL, reason: 'again' } }))).toBe('AlreadyThere address');
    await bob.call(blockDesk.unblockAddress, { body: { address: CAROL, reason: 'proven innocent' } });
    expect(blockedIn(CAROL)).toBe(false);
  });

  test('points by hand and other budgets are given by two persons, once; what is refused then is in the log', async () => {
    const { alice, bob } = await people(office);
    const { proposeAward, changeBudgets, proposeReversal } = office.operators.handlers.rewardDesk;
    const award = await bob.call(proposeAward, { body: { address: CAROL, points: 500, reason: 'a bug found' } });
    expect(office.campaign.given).toEqual([]);
    expect(await refusalOf(bob.call(operator().approveProposal, { body: award }))).toBe('OwnProposal');
    await alice.call(operator().approveProposal, { body: award });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: award }))).toBe('ProposalOver');
    await office.reopen();
    expect(office.campaign.given).toEqual([`proposal-${award.proposalId} ${CAROL} 500 a bug found`]);

    const more = { pointsPerDay: 2_000, faucetClaimsPerDay: 20 };
    await bob.call(changeBudgets, { body: more });
    await bob.call(changeBudgets, { body: { ...more, pointsPerDay: 9_000 } });
    const [second, first] = (await bob.call(operator().proposals)).list;
    await alice.call(operator().approveProposal, { body: first });
    expect(office.campaign.terms).toEqual(more);
    // The second was proposed on budgets that are no more.
    expect(await refusalOf(alice.call(operator().approveProposal, { body: second }))).toBe('ProposalOutdated');

    office.campaign.faults.push(new ApiError('UnknownThing', { field: 'key' }));
    const reversal = await bob.call(proposeReversal, { body: { key: 'manual:none', reason: 'a mistake' } });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: reversal }))).toBe('UnknownThing key');
    expect((await alice.actions()).slice(-4)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice REVERSAL', 'the console REFUSED']);
    await office.reopen();
    expect(office.campaign.given).toHaveLength(1);
  });

  test('awards of lucky blocks that an alarm pauses are resumed by two persons, for the blocks that were looked at', async () => {
    const { alice, bob } = await people(office);
    const { proposeLuckyResume } = office.operators.handlers.luckyDesk;
    const alarm = { kind: 'CHAIN', subject: 'every block', period: '2026-11-23', blocks: 41, pausesAwards: true, sentence: '', at: 1 };
    const body = { period: alarm.period, blocks: alarm.blocks };
    expect(await refusalOf(bob.call(proposeLuckyResume, { body }))).toBe('UnknownThing period');
    office.campaign.luckyAlarms.push(alarm);
    expect(await refusalOf(bob.call(proposeLuckyResume, { body: { ...body, blocks: 42 } }))).toBe('UnknownThing period');
    const proposal = await bob.call(proposeLuckyResume, { body });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    expect(office.campaign.resumed).toEqual([]);
    await alice.call(operator().approveProposal, { body: proposal });
    expect(office.campaign.resumed).toEqual(['2026-11-23 41']);
    expect((await alice.actions()).slice(-3)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice LUCKY_RESUME']);
  });

  test('subscriptions of a fund that are paused are opened again by two persons, and no later pause with them', async () => {
    const { alice, bob } = await people(office);
    const { proposeFundResume } = office.operators.handlers.clusterDesk;
    const body = { fundId: 'QUANTO1' };
    expect(await refusalOf(bob.call(proposeFundResume, { body }))).toBe('UnknownThing fundId');
    const pause = { pausedAt: 1_795_000_000_000, capacity: '50000' };
    office.funds.paused.set('QUANTO1', pause);
    const proposal = await bob.call(proposeFundResume, { body });
    expect(JSON.parse(proposal.change)).toEqual({ ...body, ...pause });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    office.funds.paused.set('QUANTO1', { ...pause, pausedAt: pause.pausedAt + 1 });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
    expect(office.funds.resumed).toEqual([]);
    const second = await bob.call(proposeFundResume, { body });
    await alice.call(operator().approveProposal, { body: second });
    expect(office.funds.resumed).toEqual([{ ...body, ...pause, pausedAt: pause.pausedAt + 1 }]);
    expect((await alice.actions()).slice(-3)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice FUND_RESUME']);
  });

  test('K1: an account is deleted by two persons, with a reason that names nobody; one of them calls it off', async () => {
    const { alice, bob } = await people(office);
    const { proposeErasure, callOffErasure } = office.operators.handlers.erasureDesk;
    const body = { account: 7, reasonCode: 'REQUEST' };
    office.erasures.full.push(7);
    expect(await refusalOf(bob.call(proposeErasure, { body }))).toBe('AccountNotEmpty abandon');
    const proposal = await bob.call(proposeErasure, { body: { ...body, abandon: true } });
    expect(JSON.parse(proposal.change)).toEqual({ ...body, abandon: true });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    expect(office.erasures.waiting).toEqual([]);
    expect(await alice.call(operator().approveProposal, { body: proposal })).toMatchObject({ state: 'DONE' });
    expect(office.erasures.waiting).toEqual([{ account: 7, abandon: true }]);
    expect((await alice.actions()).slice(-3)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice ERASURE']);
    await bob.call(callOffErasure, { body: { account: 7 } });
    expect(office.erasures.waiting).toEqual([]);
    expect((await alice.actions()).at(-1)).toBe('bob KEEP_ACCOUNT');
    expect(await refusalOf(bob.call(callOffErasure, { body: { account: 7 } }))).toBe('UnknownThing account');
  });

  test('K1: an account that has money by the time of the approval is not deleted, and the refusal is in the log', async () => {
    const { alice, bob } = await people(office);
    const { proposeErasure } = office.operators.handlers.erasureDesk;
    const proposal = await bob.call(proposeErasure, { body: { account: 7, reasonCode: 'LEGAL_ORDER' } });
    office.erasures.full.push(7);
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('AccountNotEmpty abandon');
    expect(office.erasures.waiting).toEqual([]);
    expect((await alice.actions()).at(-1)).toBe('the console REFUSED');
  });

  const catalogued = { taskCode: 'NEWCOMER_DEPOSIT', active: true, reward: 500, startsAt: null, endsAt: null };

  test('[T4] one operator switches a task off and lowers its reward; a higher one needs two, on the task as it was', async () => {
    const { alice, bob } = await people(office);
    const { changeTask, deskTasks } = office.operators.handlers.taskDesk;
    const change = (body: object) => bob.call(changeTask, { body: { ...catalogued, ...body } });
    expect(await change({ active: false, reward: 400 })).toEqual({ proposalId: null });
    expect((await alice.actions()).at(-1)).toBe('bob TASK');
    expect(await bob.call(deskTasks)).toEqual({ list: [{ ...catalogued, name: 'First deposit', active: false, reward: 400 }], total: 1 });

    await change({ reward: 401 });
    await change({ reward: 402 });
    expect(office.campaign.task).toMatchObject({ active: false, reward: 400 });
    const [second, first] = (await bob.call(operator().proposals)).list;
    expect(await refusalOf(bob.call(operator().approveProposal, { body: first }))).toBe('OwnProposal');
    await alice.call(operator().approveProposal, { body: first });
    expect(office.campaign.task).toEqual({ ...catalogued, name: 'First deposit', reward: 401 });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: second }))).toBe('ProposalOutdated');
    expect((await alice.actions()).slice(-4)).toEqual(['bob PROPOSE', 'bob PROPOSE', 'alice APPROVE', 'alice TASK']);
  });

  test('[T4] a task that is not there and an end before the start are refused by their field, and are not in the log', async () => {
    const { bob } = await people(office);
    const { changeTask } = office.operators.handlers.taskDesk;
    const before = await bob.actions();
    for (const [bad, refusal] of [
      [{ taskCode: 'NONE' }, 'UnknownThing taskCode'],
      [{ reward: 600, startsAt: 5, endsAt: 5 }, 'MalformedField endsAt'],
    ] as const)
      expect(await refusalOf(bob.call(changeTask, { body: { ...catalogued, ...bad } }))).toBe(refusal);
    expect(await bob.actions()).toEqual(before);
    expect(office.campaign.task.reward).toBe(500);
  });

  test('a campaign is proposed by one and approved by another; one stops it, once, also when the first try broke off', async () => {
    const { alice, bob } = await people(office);
    const { proposeCampaign, stopCampaign, deskCampaigns } = office.operators.handlers.campaignDesk;
    const launch = { campaignId: 'launch', name: { en: 'Launch' }, startsAt: 4e12, endsAt: 5e12, boards: ['PNL'], prizes: [] };
    const proposal = await bob.call(proposeCampaign, { body: launch });
    expect(office.campaign.made).toEqual([]);
    await alice.call(operator().approveProposal, { body: proposal });
    expect((await bob.call(deskCampaigns)).list).toMatchObject([{ campaignId: 'launch', boards: ['PNL'], state: 'RUNNING' }]);
    expect(await refusalOf(bob.call(proposeCampaign, { body: launch }))).toBe('KeyConflict campaignId');

    office.campaign.faults.push(new Error('the disk is gone'));
    await expect(bob.call(stopCampaign, { body: { campaignId: 'launch' } })).rejects.toThrow('the disk is gone');
    await office.reopen();
    expect(office.campaign.made).toMatchObject([{ campaignId: 'launch', stopped: true }]);
    expect(office.troubles).toEqual([]);
    const stop = office.operators.handlers.campaignDesk.stopCampaign;
    expect(await refusalOf(bob.call(stop, { body: { campaignId: 'launch' } }))).toBe('UnknownThing campaignId');
    expect((await alice.actions()).slice(-4)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice CAMPAIGN', 'bob STOP_CAMPAIGN']);
  });

  test('suspicious clusters are shown with who washes, why, and what does not count', async () => {
    const { bob } = await people(office);
    const ring = { campaignId: 'launch', evidence: ['TRADING'] as const, trades: 40, expected: 1.5, volume: '1200.5' };
    office.campaign.rings.push({ ...ring, members: [{ account: 7, address: CAROL, isWasher: true }] });
    const { suspiciousClusters } = office.operators.handlers.clusterDesk;
    expect(await bob.call(suspiciousClusters)).toEqual({
      list: [{ ...ring, members: [{ account: 7, address: '0x00…01', isWasher: true }] }],
      total: 1,
    });
  });

  describe('an appeal', () => {
    const appeal = {
      appealId: 7,
      campaignId: 'launch',
      address: CAROL,
      text: 'my sister lives here too',
      filedAt: 1,
      state: 'WAITING' as const,
      answer: '',
      decidedAt: null,
      members: [CAROL],
      evidence: ['DEVICE' as const],
    };
    const accepted = { appealId: 7, decision: 'ACCEPTED' as const, answer: 'You are two people.' };
    const desk = () => office.operators.handlers.clusterDesk;

    test('is shown masked; one operator declines it once that stands in the log, also when the first try broke off', async () => {
      const { alice, bob } = await people(office);
      office.campaign.filed.push(appeal);
      const masked = { address: maskedAddress(appeal.address), members: appeal.members.map(maskedAddress) };
      expect(await bob.call(desk().appeals)).toEqual({ list: [{ ...appeal, ...masked }], total: 1 });
      const declined = { ...accepted, decision: 'DECLINED' as const };
      office.campaign.faults.push(new Error('the disk is gone'));
      await expect(bob.call(desk().decideAppeal, { body: declined })).rejects.toThrow('the disk is gone');
      expect((await alice.actions()).at(-1)).toBe('bob APPEAL');
      await office.reopen();
      expect(office.campaign.decided).toEqual([declined]);
      expect(await refusalOf(bob.call(desk().decideAppeal, { body: { ...declined, appealId: 8 } }))).toBe('UnknownThing appealId');
    });

    test('that pays is a payment: one operator alone cannot accept it, a second one can, once', async () => {
      const { alice, bob } = await people(office);
      office.campaign.filed.push(appeal);
      const { proposalId } = await bob.call(desk().decideAppeal, { body: accepted });
      const [proposal] = (await bob.call(operator().proposals)).list;
      expect(proposal).toMatchObject({ proposalId, kind: 'APPEAL', state: 'WAITING', proposedBy: 'bob' });
      const approval = { body: { proposalId, hash: proposal?.hash } };
      expect(await refusalOf(bob.call(operator().approveProposal, approval))).toBe('OwnProposal');
      await office.operators.runDue();
      expect(office.campaign.decided).toEqual([]);
      await alice.call(operator().approveProposal, approval);
      expect(office.campaign.decided).toEqual([accepted]);
      expect((await alice.actions()).slice(-3)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice APPEAL']);
      expect(await refusalOf(bob.call(desk().decideAppeal, { body: accepted }))).toBe('UnknownThing appealId');
    });

    test('that was declined meanwhile is paid by no approval', async () => {
      const { alice, bob } = await people(office);
      office.campaign.filed.push(appeal);
      await bob.call(desk().decideAppeal, { body: accepted });
      const [proposal] = (await bob.call(operator().proposals)).list;
      await bob.call(desk().decideAppeal, { body: { ...accepted, decision: 'DECLINED' } });
      const approval = { body: { proposalId: proposal?.proposalId, hash: proposal?.hash } };
      expect(await refusalOf(alice.call(operator().approveProposal, approval))).toBe('ProposalOutdated');
      expect(office.campaign.decided.map(({ decision }) => decision)).toEqual(['DECLINED']);
    });
  });

  test('addresses that pay many are shown with how many', async () => {
    const { bob } = await people(office);
    office.campaign.funders.push({ address: CAROL, accounts: 40 });
    const { commonFunders } = office.operators.handlers.clusterDesk;
    expect(await bob.call(commonFunders)).toEqual({ list: [{ address: CAROL, accounts: 40 }], total: 1 });
    expect(await bob.call(commonFunders, { query: { page: 2, pageSize: 10 } })).toEqual({ list: [], total: 1 });
  });

  test('what funds traded with those who lead them is shown masked', async () => {
    const { bob } = await people(office);
    const dealing = { fundId: 'QUANTO1', trades: 3, volume: '3110', gain: '110', worth: '10000', isBeyond: true, isPaused: true };
    office.campaign.fundDealings.push({ ...dealing, members: [{ account: 5, address: CAROL }] });
    const { fundDealings } = office.operators.handlers.clusterDesk;
    expect(await bob.call(fundDealings)).toEqual({
      list: [{ ...dealing, members: [{ account: 5, address: maskedAddress(CAROL) }] }],
      total: 1,
    });
  });

  test('pairs of which one won what the other lost are shown masked, with what they traded in that campaign', async () => {
    const { bob } = await people(office);
    const [winner, loser] = [
      { account: 5, address: CAROL },
      { account: 6, address: CAROL },
    ];
    const sums = { won: '4000', lost: '4010', between: '3900', trades: 12 };
    office.campaign.pairs.push({ campaignId: 'launch', winner, loser, kind: 'DIRECT', ...sums });
    const traded = { at: 1_795_000_000_000, symbol: 'BTC_USDC_PERP', trades: 12, volume: '80000', winnerBought: '-1', loserBought: '1' };
    office.campaign.tradesOfPairs.push(traded);
    const { suspiciousPairs, pairTrades } = office.operators.handlers.clusterDesk;
    const masked = maskedAddress(CAROL);
    expect(await bob.call(suspiciousPairs)).toEqual({
      list: [
        { campaignId: 'launch', winner: { account: 5, address: masked }, loser: { account: 6, address: masked }, kind: 'DIRECT', ...sums },
      ],
      total: 1,
    });
    const query = { campaignId: 'launch', winner: 5, loser: 6 };
    expect(await bob.call(pairTrades, { query })).toEqual({ list: [traded], total: 1 });
    expect(await bob.call(pairTrades, { query: { ...query, page: 2, pageSize: 10 } })).toEqual({ list: [], total: 1 });
  });

  test('what fails is in the log already, and is done at the next start', async () => {
    const { bob } = await people(office);
    const { whitelistDesk } = office.operators.handlers;
    office.campaign.faults.push(new Error('the disk is gone'));
    await expect(bob.call(whitelistDesk.admit, { body: { addresses: [CAROL] } })).rejects.toThrow('the disk is gone');
    expect(office.campaign.admitted).toEqual([]);
    expect((await bob.actions()).at(-1)).toBe('bob ADMIT');
    await office.reopen();
    expect(office.campaign.admitted).toEqual([CAROL]);
    await office.reopen();
    expect(office.campaign.admitted).toEqual([CAROL]);
  });
});

describe('[A10] notices, banners, posters', () => {
  const shown = (kind?: string) => {
    const { notices } = office.operators.handlers.notice;
    return (notices as (call: unknown) => { title: string }[])({ query: { ...(kind !== undefined && { kind }) } }).map(
      ({ title }) => title,
    );
  };

  test('are shown from their start to their end, by kind, newest first', async () => {
    const { bob } = await people(office);
    const { now } = office.clock;
    const { createNotice, deskNotices, endNotice } = office.operators.handlers.noticeDesk;
    const create = (body: object) => bob.call(createNotice, { body: { text: '', ...body } });
    await create({ kind: 'NOTICE', title: 'first' });
    const { noticeId } = await create({ kind: 'BANNER', title: 'second', endsAt: now + 10 * MINUTE });
    await create({ kind: 'POSTER', title: 'third', startsAt: now + MINUTE, link: '/points' });
    expect(shown()).toEqual(['second', 'first']);
    office.clock.now += MINUTE;
    expect(shown()).toEqual(['third', 'second', 'first']);
    expect(shown('POSTER')).toEqual(['third']);
    const { posters } = office.operators.handlers.notice;
    expect((posters as unknown as () => { title: string }[])().map(({ title }) => title)).toEqual(['third']);
    await bob.call(endNotice, { body: { noticeId } });
    expect(shown('BANNER')).toEqual([]);
    await office.reopen();
    expect(shown()).toEqual(['third', 'first']);
    expect((await bob.call(deskNotices)).list.map(({ title, state }) => `${title} ${state}`)).toEqual([
      'third SHOWN',
      'second ENDED',
      'first SHOWN',
    ]);
  });
});
