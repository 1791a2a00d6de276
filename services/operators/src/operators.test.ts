import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiError, OPERATOR_IDLE_MS, OPERATOR_SESSION_MS, PROPOSAL_MS } from '@orrery/api';
import { maskedAddress } from './privacy.ts';
import { Desk, FIRST_CODE, LISTED, openDatabase, openOffice, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const MINUTE = 60_000;

let db: Awaited<ReturnType<typeof openDatabase>>;
let office: Office;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  office = await openOffice(db);
});
afterEach(() => office.close());

const operator = () => office.operators.handlers.operator;
const audit = async (by: Desk) => by.call(operator().auditLog, { query: { pageSize: 100 } });
const actions = async (by: Desk) => (await audit(by)).list.map((row) => `${row.operator} ${row.action}`).toReversed();

describe('A10: the door of the operators', () => {
  test('the first operator comes by the code that is told once, and is an admin; the code opens once', async () => {
    expect(office.operators.firstCode).toBe(FIRST_CODE);
    const alice = new Desk(office);
    expect(await refusalOf(alice.register({ code: 'not-the-code-at-all', name: 'alice' }))).toBe('InvalidCode');
    expect(await alice.register({ code: FIRST_CODE, name: 'alice' })).toMatchObject({ name: 'alice', role: 'admin' });
    expect(await refusalOf(new Desk(office).register({ code: FIRST_CODE, name: 'mallory' }))).toBe('InvalidCode');
    await office.reopen();
    expect(office.operators.firstCode).toBeUndefined();
    expect(await refusalOf(new Desk(office).register({ code: FIRST_CODE, name: 'mallory' }))).toBe('InvalidCode');
  });

  test('two who hold the first code at the same moment: one comes in', async () => {
    const outcomes = await Promise.all(
      ['alice', 'mallory'].map((name) => refusalOf(new Desk(office).register({ code: FIRST_CODE, name }))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'InvalidCode')).toHaveLength(1);
  });

  test('the cookie is for this host only, not for pages, never sent from elsewhere', async () => {
    const { alice } = await people(office);
    expect(Object.keys(alice.cookies)).toEqual(['__Host-orrery-operator']);
    expect(alice.cookieOptions).toEqual([
      { path: '/', httpOnly: true, secure: true, sameSite: 'strict', maxAgeSeconds: OPERATOR_SESSION_MS / 1_000 },
    ]);
  });

  test('a passkey signs in; another device, another site, a used answer and a device that did not ask who holds it do not', async () => {
    const { alice } = await people(office);
    await alice.signOut();
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('NotSignedIn');
    expect(await refusalOf(new Desk(office).signIn())).toBe('InvalidPasskey');
    expect(await refusalOf(alice.signIn({ unverified: true }))).toBe('InvalidPasskey');
    const { door } = office.operators.handlers;
    const { challenge } = await alice.knock(door.passkeyRequest, {});
    const elsewhere = alice.device.prove(challenge, { origin: 'https://orrery.example' });
    expect(await refusalOf(alice.knock(door.signInOperator, elsewhere))).toBe('InvalidPasskey');
    const fresh = (await alice.knock(door.passkeyRequest, {})).challenge;
    const proof = alice.device.prove(fresh, { origin: 'http://localhost:8080' });
    expect(await alice.knock(door.signInOperator, proof)).toMatchObject({ name: 'alice', role: 'admin' });
    expect(await refusalOf(alice.knock(door.signInOperator, proof))).toBe('InvalidPasskey');
  });

  test('a passkey is not made by a device that did not ask who holds it, nor by an answer that came too late', async () => {
    const mallory = new Desk(office);
    expect(await refusalOf(mallory.register({ code: FIRST_CODE, name: 'mallory', unverified: true }))).toBe('InvalidPasskey');
    const { door } = office.operators.handlers;
    const { challenge } = await mallory.knock(door.passkeyCreation, { code: FIRST_CODE, name: 'mallory' });
    office.clock.now += 5 * MINUTE;
    const late = { code: FIRST_CODE, ...mallory.device.make(challenge, { origin: 'http://localhost:8080' }) };
    expect(await refusalOf(mallory.knock(door.registerOperator, late))).toBe('InvalidPasskey');
  });

  test('a session ends after 15 minutes without a call, and after 8 hours with them', async () => {
    const { alice } = await people(office);
    office.clock.now += OPERATOR_IDLE_MS - 1;
    expect(await alice.call(operator().operatorMe)).toMatchObject({ name: 'alice' });
    office.clock.now += OPERATOR_IDLE_MS;
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('SessionExpired');
    await alice.signIn();
    for (let at = 0; at < OPERATOR_SESSION_MS - 10 * MINUTE; at += 10 * MINUTE) {
      office.clock.now += 10 * MINUTE;
      await alice.call(operator().operatorMe);
    }
    office.clock.now += 10 * MINUTE;
    expect(await refusalOf(alice.call(operator().operatorMe))).toBe('SessionExpired');
  });

  test('whoever is ended is out at once and can not sign in; the last admin stays', async () => {
    const { alice, bob } = await people(office);
    const { operatorId: bobsId } = await bob.call(operator().operatorMe);
    const { operatorId: alicesId } = await alice.call(operator().operatorMe);
    expect(await refusalOf(alice.call(operator().endOperator, { body: { operatorId: alicesId } }))).toBe('LastAdmin');
    await alice.call(operator().endOperator, { body: { operatorId: bobsId } });
    expect(await refusalOf(bob.call(operator().operatorMe))).toBe('NotSignedIn');
    expect(await refusalOf(bob.signIn())).toBe('InvalidPasskey');
    expect(await refusalOf(alice.call(operator().endOperator, { body: { operatorId: bobsId } }))).toBe('UnknownThing operatorId');
  });
});

describe('A10: two persons', () => {
  test('an invitation opens for a second operator without anybody, and for a third one when another approves', async () => {
    const { alice, bob } = await people(office);
    const { code, proposal: asked } = await alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'viewer' } });
    expect(await refusalOf(new Desk(office).register({ code, name: 'carol' }))).toBe('InvalidCode');
    const [proposal] = (await bob.call(operator().proposals)).list;
    expect(proposal).toEqual(asked);
    expect(proposal?.change).toContain('"name":"carol","role":"viewer"');
    await bob.call(operator().approveProposal, { body: proposal });
    expect(await refusalOf(new Desk(office).register({ code, name: 'dave' }))).toBe('InvalidCode');
    expect(await new Desk(office).register({ code, name: 'carol' })).toMatchObject({ role: 'viewer' });
    expect(await refusalOf(alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'admin' } }))).toBe('AlreadyThere name');
  });

  async function proposed(by: Desk, role: 'viewer' | 'admin', whose: Desk) {
    const { operatorId } = await whose.call(operator().operatorMe);
    return by.call(operator().proposeRole, { body: { operatorId, role } });
  }

  test('nobody approves their own proposal; another one does, once', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    expect(await bob.call(operator().operatorMe)).toMatchObject({ role: 'operator' });
    expect(await bob.call(operator().approveProposal, { body: proposal })).toMatchObject({ state: 'DONE', decidedBy: 'bob' });
    expect(await bob.call(operator().operatorMe)).toMatchObject({ role: 'admin' });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
  });

  test('two approvals at the same moment: one is taken', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    const outcomes = await Promise.all([1, 2].map(() => refusalOf(bob.call(operator().approveProposal, { body: proposal }))));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ProposalOver')).toHaveLength(1);
  });

  test('a proposal waits 15 minutes and not a moment longer', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    office.clock.now += PROPOSAL_MS;
    await Promise.all([alice.signIn(), bob.signIn()]);
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
    expect((await bob.call(operator().proposals)).list[0]).toMatchObject({ state: 'EXPIRED' });
  });

  test('the approval is of exactly this change: another hash, a changed row, a changed ground are refused', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'admin', bob);
    const other = { ...proposal, hash: `0x${'1'.repeat(64)}` };
    expect(await refusalOf(bob.call(operator().approveProposal, { body: other }))).toBe('MalformedField hash');
    const id = proposal.proposalId;
    const tampered = proposal.change.replace('admin', 'viewer');
    await db.sql.updateTable('operators_proposal').set({ change: tampered }).where('proposal_id', '=', id).execute();
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
    await db.sql.updateTable('operators_proposal').set({ change: proposal.change }).where('proposal_id', '=', id).execute();
    await db.sql.updateTable('operators_operator').set({ role: 'viewer' }).where('name', '=', 'bob').execute();
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
  });

  test('a rejected proposal is over, for everybody', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'viewer', bob);
    await alice.call(operator().rejectProposal, { body: { proposalId: proposal.proposalId } });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOver');
    expect(await refusalOf(bob.call(operator().rejectProposal, { body: { proposalId: 99 } }))).toBe('UnknownThing proposalId');
  });

  test('the only admin can not be made less', async () => {
    const { alice, bob } = await people(office);
    const proposal = await proposed(alice, 'viewer', alice);
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('LastAdmin');
  });
});

describe('A10: the audit log', () => {
  test('has a row for everything that was done, in the order in which it was done, and holds', async () => {
    const { alice, bob } = await people(office);
    const { blockDesk, noticeDesk } = office.operators.handlers;
    await bob.call(blockDesk.blockAddress, { body: { address: CAROL, reason: 'a test' } });
    const { noticeId } = await bob.call(noticeDesk.createNotice, { body: { kind: 'BANNER', title: 'Tonight', text: '' } });
    await alice.call(noticeDesk.endNotice, { body: { noticeId } });
    await alice.signOut();
    await alice.signIn();
    expect(await actions(alice)).toEqual([
      'alice JOIN',
      'alice PROPOSE',
      'alice INVITE_ALONE',
      'bob JOIN',
      'bob BLOCK',
      'bob CREATE_NOTICE',
      'alice END_NOTICE',
      'alice SIGN_IN',
    ]);
    expect((await audit(alice)).brokenAt).toBeNull();
  });

  test.each([
    ['a changed row', 'update operators_audit set detail = \'{"name":"mallory"}\' where seq = 2', 2],
    ['a changed time', 'update operators_audit set at = at + 1 where seq = 3', 3],
    ['a row left out', 'delete from operators_audit where seq = 2', 2],
    ['the last row left out', 'delete from operators_audit where seq = 4', 4],
    [
      'a row put in',
      `insert into operators_audit select 5, at, operator, action, detail, hash, hash from operators_audit where seq = 4;
       update operators_audit_head set seq = 5`,
      5,
    ],
  ])('%s is found and named, also at the next start', async (_what, tampering, row) => {
    const { alice } = await people(office);
    expect((await audit(alice)).brokenAt).toBeNull();
    for (const statement of tampering.split(';')) await sql.raw(statement).execute(office.db.sql);
    expect((await audit(alice)).brokenAt).toBe(row);
    await office.reopen();
    expect(office.operators.auditBrokenAt).toBe(row);
  });

  test('what is refused leaves no row and changes nothing', async () => {
    const { alice, bob } = await people(office);
    const before = await actions(alice);
    const { blockDesk, noticeDesk } = office.operators.handlers;
    expect(await refusalOf(bob.call(blockDesk.blockAddress, { body: { address: LISTED, reason: 'again' } }))).toBe('AlreadyThere address');
    expect(await refusalOf(bob.call(blockDesk.unblockAddress, { body: { address: LISTED, reason: 'mercy' } }))).toBe(
      'MalformedField address',
    );
    expect(await refusalOf(bob.call(blockDesk.unblockAddress, { body: { address: CAROL, reason: 'mercy' } }))).toBe('UnknownThing address');
    const over = { kind: 'NOTICE', title: 'Over', text: '', endsAt: office.clock.now };
    expect(await refusalOf(bob.call(noticeDesk.createNotice, { body: over }))).toBe('MalformedField endsAt');
    expect(await refusalOf(bob.call(noticeDesk.endNotice, { body: { noticeId: 7 } }))).toBe('UnknownThing noticeId');
    expect(await actions(alice)).toEqual(before);
  });
});

describe('A10: changes outside', () => {
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
    expect((await actions(alice)).slice(-4)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice REVERSAL', 'the console REFUSED']);
    await office.reopen();
    expect(office.campaign.given).toHaveLength(1);
  });

  const catalogued = { taskCode: 'NEWCOMER_DEPOSIT', active: true, reward: 500, startsAt: null, endsAt: null };

  test('T4: one operator switches a task off and lowers its reward; a higher one needs two, on the task as it was', async () => {
    const { alice, bob } = await people(office);
    const { changeTask, deskTasks } = office.operators.handlers.taskDesk;
    const change = (body: object) => bob.call(changeTask, { body: { ...catalogued, ...body } });
    expect(await change({ active: false, reward: 400 })).toEqual({ proposalId: null });
    expect((await actions(alice)).at(-1)).toBe('bob TASK');
    expect(await bob.call(deskTasks)).toEqual({ list: [{ ...catalogued, name: 'First deposit', active: false, reward: 400 }], total: 1 });

    await change({ reward: 401 });
    await change({ reward: 402 });
    expect(office.campaign.task).toMatchObject({ active: false, reward: 400 });
    const [second, first] = (await bob.call(operator().proposals)).list;
    expect(await refusalOf(bob.call(operator().approveProposal, { body: first }))).toBe('OwnProposal');
    await alice.call(operator().approveProposal, { body: first });
    expect(office.campaign.task).toEqual({ ...catalogued, name: 'First deposit', reward: 401 });
    expect(await refusalOf(alice.call(operator().approveProposal, { body: second }))).toBe('ProposalOutdated');
    expect((await actions(alice)).slice(-4)).toEqual(['bob PROPOSE', 'bob PROPOSE', 'alice APPROVE', 'alice TASK']);
  });

  test('T4: a task that is not there and an end before the start are refused by their field, and are not in the log', async () => {
    const { bob } = await people(office);
    const { changeTask } = office.operators.handlers.taskDesk;
    const before = await actions(bob);
    for (const [bad, refusal] of [
      [{ taskCode: 'NONE' }, 'UnknownThing taskCode'],
      [{ reward: 600, startsAt: 5, endsAt: 5 }, 'MalformedField endsAt'],
    ] as const)
      expect(await refusalOf(bob.call(changeTask, { body: { ...catalogued, ...bad } }))).toBe(refusal);
    expect(await actions(bob)).toEqual(before);
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
    expect((await actions(alice)).slice(-4)).toEqual(['bob PROPOSE', 'alice APPROVE', 'alice CAMPAIGN', 'bob STOP_CAMPAIGN']);
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

  test('an appeal is decided once it stands in the log; a viewer decides none', async () => {
    const { alice, bob } = await people(office);
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
    office.campaign.filed.push(appeal);
    const { appeals, decideAppeal } = office.operators.handlers.clusterDesk;
    const masked = { address: maskedAddress(appeal.address), members: appeal.members.map(maskedAddress) };
    expect(await bob.call(appeals)).toEqual({ list: [{ ...appeal, ...masked }], total: 1 });
    const decision = { appealId: 7, decision: 'ACCEPTED' as const, answer: 'You are two people.' };
    office.campaign.faults.push(new Error('the disk is gone'));
    await expect(bob.call(decideAppeal, { body: decision })).rejects.toThrow('the disk is gone');
    expect((await actions(alice)).at(-1)).toBe('bob APPEAL');
    await office.reopen();
    expect(office.campaign.decided).toEqual([decision]);
    const { decideAppeal: decide } = office.operators.handlers.clusterDesk;
    expect(await refusalOf(bob.call(decide, { body: { ...decision, appealId: 8 } }))).toBe('UnknownThing appealId');
  });

  test('addresses that pay many are shown with how many', async () => {
    const { bob } = await people(office);
    office.campaign.funders.push({ address: CAROL, accounts: 40 });
    const { commonFunders } = office.operators.handlers.clusterDesk;
    expect(await bob.call(commonFunders)).toEqual({ list: [{ address: CAROL, accounts: 40 }], total: 1 });
    expect(await bob.call(commonFunders, { query: { page: 2, pageSize: 10 } })).toEqual({ list: [], total: 1 });
  });

  test('what fails is in the log already, and is done at the next start', async () => {
    const { bob } = await people(office);
    const { whitelistDesk } = office.operators.handlers;
    office.campaign.faults.push(new Error('the disk is gone'));
    await expect(bob.call(whitelistDesk.admit, { body: { addresses: [CAROL] } })).rejects.toThrow('the disk is gone');
    expect(office.campaign.admitted).toEqual([]);
    expect((await actions(bob)).at(-1)).toBe('bob ADMIT');
    await office.reopen();
    expect(office.campaign.admitted).toEqual([CAROL]);
    await office.reopen();
    expect(office.campaign.admitted).toEqual([CAROL]);
  });
});

describe('A10: notices, banners, posters', () => {
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
