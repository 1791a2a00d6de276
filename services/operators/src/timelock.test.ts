import { describe, expect, test } from 'vitest';
import { ApiError, APPROVAL_MS, PROPOSAL_MS } from '@orrery/api';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const DAY = 24 * 3_600_000;

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(
  async (opened) => {
    office = opened;
    ({ alice, bob } = await people(office));
  },
  { timelockMs: DAY },
);

const operator = () => office.operators.handlers.operator;
const latest = async (by: Desk) => (await by.call(operator().proposals)).list[0];

/** Sessions end meanwhile. */
async function pass(ms: number): Promise<void> {
  office.clock.now += ms;
  await office.operators.runDue();
  await alice.signIn();
  await bob.signIn();
}

async function approved(budgets = { pointsPerDay: 2_000, faucetClaimsPerDay: 10 }) {
  await bob.call(office.operators.handlers.rewardDesk.changeBudgets, { body: budgets });
  const proposal = await latest(alice);
  return alice.call(operator().approveProposal, { body: proposal });
}

const points = (): number => office.campaign.terms.pointsPerDay;

describe('[A10] what gives more waits for the timelock', () => {
  test('a higher budget takes effect a day after its approval, not a moment sooner, once', async () => {
    const proposal = await approved();
    expect(proposal).toMatchObject({ state: 'APPROVED', decidedBy: 'alice', effectiveAt: office.clock.now + DAY });
    expect(points()).toBe(1_000);
    await pass(DAY - 1);
    expect(points()).toBe(1_000);
    await pass(1);
    expect(points()).toBe(2_000);
    expect(await latest(alice)).toMatchObject({ state: 'DONE', refusal: null });
    expect((await alice.actions()).filter((action) => action === 'alice BUDGET')).toHaveLength(1);
    office.campaign.terms.pointsPerDay = 7;
    await pass(DAY);
    await office.reopen();
    expect(points()).toBe(7);
  });

  test.each([
    [
      'an award',
      () => bob.call(office.operators.handlers.rewardDesk.proposeAward, { body: { address: CAROL, points: 5, reason: 'a bug' } }),
    ],
    [
      'a campaign',
      () => {
        const times = { startsAt: office.clock.now + 2 * DAY, endsAt: office.clock.now + 3 * DAY };
        const prizes = [{ fromRank: 1, toRank: 1, points: 5 }];
        const body = { campaignId: 'launch', name: { en: 'Launch' }, boards: ['PNL'], prizes, ...times };
        return bob.call(office.operators.handlers.campaignDesk.proposeCampaign, { body });
      },
    ],
    [
      'a higher reward',
      () => {
        const body = { taskCode: 'NEWCOMER_DEPOSIT', active: true, reward: 501, startsAt: null, endsAt: null };
        return bob.call(office.operators.handlers.taskDesk.changeTask, { body });
      },
    ],
    [
      'a right',
      async () => {
        const { operatorId } = await alice.call(operator().operatorMe);
        return alice.call(operator().proposeRight, { body: { operatorId, right: 'reviewer' } });
      },
    ],
    [
      'a higher role',
      async () => {
        const { operatorId } = await bob.call(operator().operatorMe);
        return alice.call(operator().proposeRole, { body: { operatorId, role: 'admin' } });
      },
    ],
    ['a third operator', () => alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'viewer' } })],
  ])('so does %s', async (_what, propose) => {
    await propose();
    const proposal = await latest(alice);
    const other = proposal?.proposedBy === 'alice' ? bob : alice;
    expect(await other.call(operator().approveProposal, { body: proposal })).toMatchObject({ state: 'APPROVED' });
    await pass(DAY - 1);
    expect(await latest(alice)).toMatchObject({ state: 'APPROVED' });
    await pass(1);
    expect(await latest(alice)).toMatchObject({ state: 'DONE' });
  });

  test('an invitation that was approved opens when the timelock is over, and is good for a day from then', async () => {
    const { code } = await alice.call(operator().inviteOperator, { body: { name: 'carol', role: 'viewer' } });
    await bob.call(operator().approveProposal, { body: await latest(bob) });
    await pass(DAY - 1);
    const { door } = office.operators.handlers;
    expect(await refusalOf(alice.knock(door.passkeyCreation, { code, name: 'carol' }))).toBe('InvalidCode');
    await pass(1);
    office.clock.now += DAY - 1;
    await alice.knock(door.passkeyCreation, { code, name: 'carol' });
  });

  test('what takes something is done at once: budgets and tasks by one person, an award taken back by two', async () => {
    const { rewardDesk, taskDesk } = office.operators.handlers;
    expect(await bob.call(rewardDesk.changeBudgets, { body: { pointsPerDay: 999, faucetClaimsPerDay: 10 } })).toEqual({ proposalId: null });
    expect(points()).toBe(999);
    const off = { taskCode: 'NEWCOMER_DEPOSIT', active: false, reward: 500, startsAt: null, endsAt: null };
    expect(await bob.call(taskDesk.changeTask, { body: off })).toEqual({ proposalId: null });
    expect(office.campaign.task.active).toBe(false);
    // Switching it on again gives something.
    expect(await bob.call(taskDesk.changeTask, { body: { ...off, active: true } })).toEqual({ proposalId: 2 });
    const reversal = await bob.call(rewardDesk.proposeReversal, { body: { key: 'manual:1', reason: 'a copy' } });
    expect(await alice.call(operator().approveProposal, { body: reversal })).toMatchObject({ state: 'DONE' });
    expect(office.campaign.given).toEqual(['back manual:1 a copy']);
  });

  test('one budget up and the other down is a proposal', async () => {
    const { changeBudgets } = office.operators.handlers.rewardDesk;
    expect(await bob.call(changeBudgets, { body: { pointsPerDay: 1, faucetClaimsPerDay: 11 } })).toEqual({ proposalId: 2 });
    expect(points()).toBe(1_000);
  });

  test('a campaign that would begin before the timelock is over is refused by its field', async () => {
    const { proposeCampaign } = office.operators.handlers.campaignDesk;
    const soon = { campaignId: 'launch', name: { en: 'Launch' }, boards: ['PNL'], prizes: [], endsAt: office.clock.now + 3 * DAY };
    const propose = (startsAt: number) => bob.call(proposeCampaign, { body: { ...soon, startsAt } });
    expect(await refusalOf(propose(office.clock.now + DAY))).toBe('MalformedField startsAt');
    const proposal = await propose(office.clock.now + DAY + 1);
    office.clock.now += 1;
    expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('ProposalOutdated');
  });
});

describe('[A10] while the timelock runs', () => {
  test.each(['alice', 'bob'] as const)('%s cancels what was approved; it never happens, and the log says who did it', async (name) => {
    const { proposalId } = await approved();
    const by = name === 'alice' ? alice : bob;
    const cancel = () => by.call(operator().cancelProposal, { body: { proposalId } });
    expect(await cancel()).toMatchObject({ state: 'CANCELLED', cancelledBy: name });
    expect(await refusalOf(cancel())).toBe('ProposalOver');
    await pass(DAY);
    expect(points()).toBe(1_000);
    expect((await alice.actions()).filter((action) => action.endsWith('CANCEL'))).toEqual([`${name} CANCEL`]);
  });

  test('what waits for approval, is over, or never was, is not cancelled', async () => {
    await bob.call(office.operators.handlers.rewardDesk.changeBudgets, { body: { pointsPerDay: 2_000, faucetClaimsPerDay: 10 } });
    const cancel = (proposalId: number) => refusalOf(bob.call(operator().cancelProposal, { body: { proposalId } }));
    expect(await cancel(2)).toBe('ProposalOver');
    expect(await cancel(3)).toBe('UnknownThing proposalId');
    await alice.call(operator().approveProposal, { body: await latest(alice) });
    await pass(DAY);
    expect(await cancel(2)).toBe('ProposalOver');
  });

  test('cancelled and due at the same moment: one of the two', async () => {
    const { proposalId } = await approved();
    office.clock.now += DAY;
    await bob.signIn();
    const [refusal] = await Promise.all([
      refusalOf(bob.call(operator().cancelProposal, { body: { proposalId } })),
      office.operators.runDue(),
    ]);
    expect(points()).toBe(refusal === undefined ? 1_000 : 2_000);
  });

  test('a budget that was lowered meanwhile stays lowered: the higher one was decided on another ground', async () => {
    await approved();
    await bob.call(office.operators.handlers.rewardDesk.changeBudgets, { body: { pointsPerDay: 0, faucetClaimsPerDay: 10 } });
    await pass(DAY);
    expect(points()).toBe(0);
    expect(await latest(alice)).toMatchObject({ state: 'OUTDATED' });
    expect((await alice.actions()).filter((action) => action.includes('OUTDATED'))).toEqual(['the console OUTDATED']);
  });

  test('a change does not take effect when one of its operators was removed meanwhile', async () => {
    await approved();
    const { operatorId } = await bob.call(operator().operatorMe);
    await alice.call(operator().endOperator, { body: { operatorId } });
    office.clock.now += DAY;
    await office.operators.runDue();
    expect(points()).toBe(1_000);
  });
});

describe('[A10] restarts and crashes', () => {
  test('an approval survives restarts and takes effect at the first start after its time', async () => {
    await approved();
    await office.reopen();
    expect(points()).toBe(1_000);
    await office.operators.stop();
    office.clock.now += DAY;
    await office.reopen();
    await office.operators.runDue();
    expect(points()).toBe(2_000);
  });

  test('a crash between the decision and the deed: it is done at the next start, once', async () => {
    const { proposeAward } = office.operators.handlers.rewardDesk;
    const award = await bob.call(proposeAward, { body: { address: CAROL, points: 5, reason: 'a bug' } });
    await alice.call(operator().approveProposal, { body: award });
    office.campaign.faults.push(new Error('the disk is gone'));
    await pass(DAY);
    expect(office.troubles).toHaveLength(1);
    expect(office.campaign.given).toEqual([]);
    await office.reopen();
    await office.reopen();
    await office.operators.runDue();
    expect(office.campaign.given).toEqual([`proposal-2 ${CAROL} 5 a bug`]);
  });

  test('what was raised in vain is not done after it was lowered', async () => {
    await approved();
    office.campaign.faults.push(new Error('the disk is gone'));
    await pass(DAY);
    await bob.call(office.operators.handlers.rewardDesk.changeBudgets, { body: { pointsPerDay: 3, faucetClaimsPerDay: 10 } });
    expect(points()).toBe(3);
    await office.reopen();
    expect(points()).toBe(3);
  });

  test('an approval that could not take effect for a day after its time has expired', async () => {
    await approved();
    await office.operators.stop();
    office.clock.now += DAY + APPROVAL_MS;
    await office.reopen();
    await office.operators.runDue();
    await alice.signIn();
    expect(points()).toBe(1_000);
    expect(await latest(alice)).toMatchObject({ state: 'EXPIRED' });
    expect((await alice.actions()).at(-2)).toBe('the console EXPIRED');
  });

  test('an unapproved proposal expires as before, whatever the timelock', async () => {
    await bob.call(office.operators.handlers.rewardDesk.changeBudgets, { body: { pointsPerDay: 2_000, faucetClaimsPerDay: 10 } });
    await pass(PROPOSAL_MS);
    expect(await refusalOf(alice.call(operator().approveProposal, { body: await latest(alice) }))).toBe('ProposalOver');
  });

  test('what is refused when its time has come is shown with the reason', async () => {
    await approved();
    office.campaign.faults.push(new ApiError('MalformedField', { field: 'pointsPerDay' }));
    await pass(DAY);
    expect(await latest(alice)).toMatchObject({ state: 'REFUSED', refusal: 'pointsPerDay is not valid' });
  });
});
