/** Two operators change the same thing at the same moment: neither undoes the other in silence. The rows are in `api/src/testing/updates.txt`. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { updatesIn } from '../../../api/src/testing/updates.ts';
import { inAnOffice } from './testing/in-an-office.ts';
import { Desk, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const DAVE = '0x00000000000000000000000000000000000da7e1';
const HOUR = 3_600_000;

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
});

const calls = () => office.operators.handlers;
const refusals = async (...changes: readonly Promise<unknown>[]) =>
  (await Promise.all(changes.map((change) => refusalOf(change)))).filter((refusal) => refusal !== undefined);
const operatorId = async (of: Desk) => (await of.call(calls().operator.operatorMe)).operatorId;
const approve = (by: Desk, proposal: object) => by.call(calls().operator.approveProposal, { body: proposal });
const inState = async () => (await alice.call(calls().operator.proposals)).list.map(({ state }) => state);

const changeBudgets = (by: Desk, body: object) => by.call(calls().rewardDesk.changeBudgets, { body });
const changeTask = (by: Desk, body: object) => {
  const { name: _, ...task } = office.campaign.task;
  return by.call(calls().taskDesk.changeTask, { body: { ...task, ...body } });
};
const award = (by: Desk) => by.call(calls().rewardDesk.proposeAward, { body: { address: CAROL, points: 5, reason: 'a bug found' } });
const block = (by: Desk, address: string) => by.call(calls().blockDesk.blockAddress, { body: { address, reason: 'wash trading' } });
const unblock = (by: Desk, address: string) => by.call(calls().blockDesk.unblockAddress, { body: { address, reason: 'innocent' } });
const blocked = async () =>
  (await alice.call(calls().blockDesk.blockedAddresses)).list.flatMap((each) => (each.listed ? [] : [each.address]));
const isBlockedInEngine = (address: string): boolean => {
  const opened = office.heart.history.findLast(({ command }) => command.type === 'OpenAccount' && command.address === address);
  const account = opened?.events[0]?.type === 'AccountOpened' ? opened.events[0].account : undefined;
  const flagged = office.heart.history.findLast(({ command }) => command.type === 'SetAccountFlag' && command.account === account);
  return flagged?.command.type === 'SetAccountFlag' && flagged.command.value;
};

/** All of them have looked and wait for the audit log before the first one changes anything. */
async function refusedAtTheLog(...changes: readonly (() => Promise<unknown>)[]): Promise<readonly string[]> {
  const begun = await office.db.sql.transaction().execute(async (tx) => {
    await tx.selectFrom('operators_audit_head').select('seq').forUpdate().executeTakeFirstOrThrow();
    const refused = refusals(...changes.map((change) => change()));
    await expect.poll(waiting, { timeout: 20_000 }).toBe(changes.length);
    return { refused };
  });
  return begun.refused;
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    office.db.sql,
  );
  return rows[0]?.waiting ?? 0;
}

function heldWithdrawal(): string {
  const withdrawalId = `0x${'7'.repeat(64)}`;
  const sum = { coin: 'USDC', amount: '20000', worth: '20000' };
  office.withdrawals.held.push({ withdrawalId, account: 7, ...sum, to: CAROL, cause: 'ABOVE_LIMIT', waitsSince: 5 } as never);
  return withdrawalId;
}

async function carol(): Promise<Desk> {
  const { code, proposal } = await alice.call(calls().operator.inviteOperator, { body: { name: 'carol', role: 'admin' } });
  await approve(bob, proposal);
  const desk = new Desk(office);
  await desk.register({ code, name: 'carol' });
  return desk;
}

/** By the name of the call. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async changeBudgets() {
    const { pointsPerDay, faucetClaimsPerDay } = office.campaign.terms;
    const [fewer, dry] = await Promise.all([
      changeBudgets(alice, { pointsPerDay: 500, faucetClaimsPerDay }),
      changeBudgets(bob, { pointsPerDay, faucetClaimsPerDay: 5 }),
    ]);
    // What the second would give back is more than there is by now: that needs two persons.
    expect(fewer.proposalId === null).toBe(dry.proposalId !== null);
    expect(office.campaign.terms).toEqual(
      fewer.proposalId === null ? { pointsPerDay: 500, faucetClaimsPerDay } : { pointsPerDay, faucetClaimsPerDay: 5 },
    );
  },
  async changeTask() {
    const [cheaper, off] = await Promise.all([changeTask(alice, { reward: 100 }), changeTask(bob, { active: false })]);
    expect(cheaper.proposalId === null).toBe(off.proposalId !== null);
    expect(office.campaign.task).toMatchObject(off.proposalId === null ? { reward: 500, active: false } : { reward: 100, active: true });
  },
  async approveProposal() {
    const { proposalId } = await changeBudgets(bob, { pointsPerDay: 2_000, faucetClaimsPerDay: 20 });
    const proposal = (await alice.call(calls().operator.proposals)).list.find((each) => each.proposalId === proposalId);
    const lowered = changeBudgets(bob, { pointsPerDay: 500, faucetClaimsPerDay: 10 });
    const [refused, direct] = await Promise.all([refusalOf(approve(alice, proposal ?? {})), lowered]);
    // The one that came second is refused, or needs two persons in its turn.
    expect([refused, direct.proposalId === null]).toEqual(refused === undefined ? [undefined, true] : ['ProposalOutdated', true]);
    expect(office.campaign.terms).toEqual({ pointsPerDay: 500, faucetClaimsPerDay: 10 });
  },
  async rejectProposal() {
    const proposal = await award(bob);
    const reject = bob.call(calls().operator.rejectProposal, { body: { proposalId: proposal.proposalId } });
    expect(await refusals(approve(alice, proposal), reject)).toEqual(['ProposalOver']);
    expect(await inState()).toContain(office.campaign.given.length === 1 ? 'DONE' : 'REJECTED');
  },
  async cancelProposal() {
    const proposal = await award(bob);
    await approve(alice, proposal);
    const cancel = (by: Desk) => by.call(calls().operator.cancelProposal, { body: { proposalId: proposal.proposalId } });
    expect(await refusals(cancel(alice), cancel(bob))).toEqual(['ProposalOver', 'ProposalOver']);
    expect(office.campaign.given).toHaveLength(1);
  },
  async proposeRole() {
    const third = await carol();
    const body = { operatorId: await operatorId(third) };
    const [viewer, other] = await Promise.all([
      alice.call(calls().operator.proposeRole, { body: { ...body, role: 'viewer' } }),
      alice.call(calls().operator.proposeRole, { body: { ...body, role: 'operator' } }),
    ]);
    expect(
      await refusedAtTheLog(
        () => approve(bob, viewer),
        () => approve(bob, other),
      ),
    ).toEqual(['ProposalOutdated']);
  },
  async proposeRight() {
    const body = { operatorId: await operatorId(bob), right: 'reviewer' };
    const propose = () => alice.call(calls().operator.proposeRight, { body });
    const third = await carol();
    const [one, other] = await Promise.all([propose(), propose()]);
    expect(
      await refusedAtTheLog(
        () => approve(third, one),
        () => approve(third, other),
      ),
    ).toEqual(['ProposalOutdated']);
  },
  async endRight() {
    const third = await carol();
    const body = { operatorId: await operatorId(bob), right: 'reviewer' };
    await approve(third, await alice.call(calls().operator.proposeRight, { body }));
    const end = (by: Desk) => by.call(calls().operator.endRight, { body });
    expect(await refusals(end(alice), end(third))).toEqual(['UnknownThing right']);
  },
  async endOperator() {
    const third = await carol();
    const end = async (by: Desk, of: Desk) => {
      const ended = await operatorId(of);
      return () => by.call(calls().operator.endOperator, { body: { operatorId: ended } });
    };
    const both = [await end(alice, third), await end(third, alice)];
    // Of two admins who end each other one stays.
    expect((await refusals(...both.map((one) => one()))).length).toBe(1);
  },
  async createNotice() {
    const create = (by: Desk, title: string) => by.call(calls().noticeDesk.createNotice, { body: { kind: 'BANNER', title, text: 'soon' } });
    expect(await refusals(create(alice, 'one'), create(bob, 'other'))).toEqual([]);
    const shown = await alice.call(calls().notice.notices);
    expect(shown.map(({ title }) => title).toSorted()).toEqual(['one', 'other']);
  },
  async endNotice() {
    const { noticeId } = await alice.call(calls().noticeDesk.createNotice, { body: { kind: 'BANNER', title: 'one', text: 'soon' } });
    const end = (by: Desk) => by.call(calls().noticeDesk.endNotice, { body: { noticeId } });
    expect(await refusals(end(alice), end(bob))).toEqual(['UnknownThing noticeId']);
    expect(await alice.call(calls().notice.notices)).toEqual([]);
  },
  async admit() {
    const admit = (by: Desk, address: string) => by.call(calls().whitelistDesk.admit, { body: { addresses: [address] } });
    expect(await refusals(admit(alice, CAROL), admit(bob, DAVE))).toEqual([]);
    expect(office.campaign.admitted.toSorted()).toEqual([CAROL, DAVE]);
  },
  async admitWaiting() {
    const admit = (by: Desk, id: number) => by.call(calls().whitelistDesk.admitWaiting, { body: { waitingIds: [id] } });
    expect(await refusals(admit(alice, 1), admit(bob, 2))).toEqual([]);
    expect(new Set(office.campaign.admittedIds)).toEqual(new Set([1, 2]));
  },
  async blockAddress() {
    expect(await refusals(block(alice, CAROL), block(bob, DAVE))).toEqual([]);
    expect((await blocked()).toSorted()).toEqual([CAROL, DAVE]);
    expect(await refusals(block(alice, CAROL), block(bob, CAROL))).toEqual(['AlreadyThere address', 'AlreadyThere address']);
  },
  async unblockAddress() {
    await block(alice, CAROL);
    await refusals(unblock(alice, CAROL), block(bob, CAROL));
    // Whichever came last, the list and the engine say the same.
    expect(isBlockedInEngine(CAROL)).toBe((await blocked()).includes(CAROL));
  },
  async stopCampaign() {
    const made = { campaignId: 'cup', name: { en: 'Cup' }, startsAt: 1, endsAt: office.clock.now + HOUR, boards: [], prizes: [] };
    office.campaign.made.push({ ...made, stopped: false });
    const stop = (by: Desk) => by.call(calls().campaignDesk.stopCampaign, { body: { campaignId: 'cup' } });
    await refusals(stop(alice), stop(bob));
    expect(office.campaign.made.map(({ stopped }) => stopped)).toEqual([true]);
  },
  async decideIdentity() {
    const masked = {
      account: 7,
      handedInTime: 5,
      realName: 'C*** E***',
      documentType: 'PASSPORT',
      documentNumber: '…47',
      country: 'DE',
      files: 1,
    };
    office.identities.handedIn.push({ masked, full: { realName: 'Carol Example', documentNumber: 'C01X00T47' } } as never);
    const decide = (by: Desk, body: object) =>
      by.call(calls().identityDesk.decideIdentity, { body: { account: 7, handedInTime: 5, ...body } });
    const sendBack = decide(bob, { decision: 'SENT_BACK', reason: 'not to be read' });
    expect(await refusals(decide(alice, { decision: 'APPROVED' }), sendBack)).toEqual(['UnknownThing account']);
    expect(office.identities.decided).toHaveLength(1);
  },
  async decideWithdrawal() {
    const withdrawalId = heldWithdrawal();
    const decide = (by: Desk, body: object) => by.call(calls().withdrawalDesk.decideWithdrawal, { body: { withdrawalId, ...body } });
    const refuse = decide(bob, { decision: 'REFUSED', reason: 'a known thief' });
    expect(await refusals(decide(alice, { decision: 'APPROVED' }), refuse)).toEqual(['UnknownThing withdrawalId']);
    expect(office.withdrawals.decided).toHaveLength(1);
  },
  async decideAppeal() {
    office.campaign.filed.push({ appealId: 3, state: 'WAITING', members: [7], evidence: [], address: CAROL } as never);
    const decline = (by: Desk, answer: string) =>
      by.call(calls().clusterDesk.decideAppeal, { body: { appealId: 3, decision: 'DECLINED', answer } });
    expect(await refusals(decline(alice, 'no'), decline(bob, 'no, again'))).toEqual(['UnknownThing appealId']);
    expect(office.campaign.decided).toHaveLength(1);
  },
  async callOffErasure() {
    office.erasures.waiting.push({ account: 7, abandon: false });
    const callOff = (by: Desk) => by.call(calls().erasureDesk.callOffErasure, { body: { account: 7 } });
    await refusals(callOff(alice), callOff(bob));
    expect(office.erasures.waiting).toEqual([]);
  },
};

test('every update that is tested here has a row, and each row its test', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...updatesIn('services/operators/src/lost-updates.test.ts')].toSorted());
});

test.each(Object.entries(CASES))('[A10] %s: of two at once neither undoes the other in silence', async (_, atTheSameMoment) => {
  await atTheSameMoment();
});

test('[A10] while what one decided cannot be carried out, nobody decides the contrary of it', async () => {
  const withdrawalId = heldWithdrawal();
  const decide = (by: Desk, body: object) => by.call(calls().withdrawalDesk.decideWithdrawal, { body: { withdrawalId, ...body } });
  office.withdrawals.faults.push(new Error('the database is gone'), new Error('the database is gone still'));
  await expect(decide(alice, { decision: 'APPROVED' })).rejects.toThrow('the database is gone');
  const refuse = () => decide(bob, { decision: 'REFUSED', reason: 'a known thief' });
  await expect(refuse()).rejects.toThrow('the database is gone still');
  expect(await refusalOf(refuse())).toBe('UnknownThing withdrawalId');
  expect(office.withdrawals.decided).toMatchObject([{ decision: 'APPROVED' }]);
  expect((await alice.actions()).filter((action) => action.endsWith('WITHDRAWAL'))).toEqual(['alice WITHDRAWAL']);
});

test('[A10] what one lowered in vain is not raised again by one person', async () => {
  office.campaign.faults.push(new Error('the disk is gone'));
  const { pointsPerDay, faucetClaimsPerDay } = office.campaign.terms;
  await expect(changeBudgets(alice, { pointsPerDay: 500, faucetClaimsPerDay })).rejects.toThrow('the disk is gone');
  const { proposalId } = await changeBudgets(bob, { pointsPerDay, faucetClaimsPerDay: 5 });
  expect(proposalId).not.toBeNull();
  expect(office.campaign.terms).toEqual({ pointsPerDay: 500, faucetClaimsPerDay });
});
