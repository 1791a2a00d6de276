import { expect, test } from 'vitest';
import { ApiError, PROPOSAL_MS } from '@orrery/api';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = '0x00000000000000000000000000000000000ca401';
const REPORT = 'https://bugs.example/17';

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
});

const propose = (by: Desk, reference = REPORT) =>
  by.call(office.operators.handlers.rewardDesk.proposeBugReport, { body: { address: CAROL, points: 300, reference } });
const approve = (by: Desk, proposal: unknown) => by.call(office.operators.handlers.operator.approveProposal, { body: proposal });

test('[T4] a bug report that was accepted is an award by two persons, and the person reads what it is for', async () => {
  const proposal = await propose(bob);
  expect(await refusalOf(approve(bob, proposal))).toBe('OwnProposal');
  expect(office.campaign.given).toEqual([]);
  await approve(alice, proposal);
  expect(office.campaign.given).toEqual([expect.stringMatching(`^bug-[0-9A-Za-z_-]{43} ${CAROL} 300 Bug report accepted$`)]);
});

test.each([REPORT, `${REPORT}/`, REPORT.toUpperCase()])(
  '[T4] one report is one award, also when it is written as %s',
  async (reference) => {
    const proposal = await propose(bob);
    expect(await refusalOf(propose(alice, reference))).toBe('AlreadyThere reference');
    await approve(alice, proposal);
    expect(await refusalOf(propose(alice, reference))).toBe('AlreadyThere reference');
    await propose(alice, 'https://bugs.example/18');
  },
);

test('[T4] two who propose the same report at the same moment: one of them', async () => {
  const outcomes = await Promise.all([alice, bob, alice, bob].map((by) => refusalOf(propose(by))));
  expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
});

test('[T4] a report whose award came to nothing may be proposed again', async () => {
  const { proposalId } = await propose(bob);
  await alice.call(office.operators.handlers.operator.rejectProposal, { body: { proposalId } });
  const second = await propose(bob);
  office.campaign.faults.push(new ApiError('UnknownThing', { field: 'address' }));
  expect(await refusalOf(approve(alice, second))).toBe('UnknownThing address');
  await propose(bob);
  office.clock.now += PROPOSAL_MS;
  await Promise.all([alice.signIn(), bob.signIn()]);
  await approve(alice, await propose(bob));
  expect(office.campaign.given).toHaveLength(1);
});
