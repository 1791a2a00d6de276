import { ApiError, PROPOSAL_MS } from '@orrery/api';
import { describe, expect, test } from 'vitest';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const DAY = 24 * 3_600_000;
const KEY = `138565:0x${'7'.repeat(64)}:0`;
const LOST = {
  key: KEY,
  txHash: `0x${'7'.repeat(64)}`,
  account: 7,
  coin: 'USDC',
  amount: '25',
  suspended: '20',
  since: 5,
  state: 'LOST' as const,
  paid: null,
  writtenAt: null,
};

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(
  async (opened) => {
    office = opened;
    ({ alice, bob } = await people(office));
    office.lostDeposits.away.push(LOST);
  },
  { timelockMs: DAY },
);

const desk = () => office.operators.handlers.lostDepositDesk;
const operator = () => office.operators.handlers.operator;
const propose = (by: Desk) => by.call(desk().proposeWriteOff, { body: { key: KEY, reason: 'the branch is dead' } });
const latest = async () => (await alice.call(operator().proposals)).list[0];

async function approved() {
  const proposal = await propose(bob);
  return alice.call(operator().approveProposal, { body: proposal });
}

/** Sessions end meanwhile. */
async function pass(ms: number): Promise<void> {
  office.clock.now += ms;
  await office.operators.runDue();
  await alice.signIn();
  await bob.signIn();
}

describe('the write-off of a deposit', () => {
  test('D2: is proposed by one operator with what it is about, approved by another, and done after the timelock, once', async () => {
    expect(await bob.call(desk().lostDeposits)).toEqual({ list: [LOST], total: 1 });
    const proposal = await propose(bob);
    expect(JSON.parse(proposal.change)).toEqual({
      depositKey: KEY,
      account: 7,
      coin: 'USDC',
      amount: '25',
      suspended: '20',
      reason: 'the branch is dead',
    });
    expect(await refusalOf(bob.call(operator().approveProposal, { body: proposal }))).toBe('OwnProposal');
    await alice.call(operator().approveProposal, { body: proposal });
    await pass(DAY - 1);
    expect(office.lostDeposits.writtenOff).toEqual([]);
    await pass(1);
    expect(office.lostDeposits.writtenOff).toEqual([KEY]);
    await pass(DAY);
    expect(office.lostDeposits.writtenOff).toEqual([KEY]);
    expect((await alice.actions()).filter((action) => action === 'alice WRITE_OFF')).toHaveLength(1);
    expect(await refusalOf(propose(bob))).toBe('AlreadyThere key');
  });

  test('D2: is proposed once at a time, and again when nobody approved it', async () => {
    await propose(bob);
    expect(await refusalOf(propose(alice))).toBe('AlreadyThere key');
    await pass(PROPOSAL_MS);
    const again = await propose(alice);
    await bob.call(operator().approveProposal, { body: again });
    expect(await refusalOf(propose(bob))).toBe('AlreadyThere key');
  });

  test('D2: is not proposed of a deposit that is not away, or is on the chain again', async () => {
    const other = { key: `138565:0x${'8'.repeat(64)}:0`, reason: 'the branch is dead' };
    expect(await refusalOf(bob.call(desk().proposeWriteOff, { body: other }))).toBe('UnknownThing key');
    office.lostDeposits.become(KEY, 'RETURNING');
    expect(await refusalOf(propose(bob))).toBe('DepositNotInSuspense key');
    expect(await latest()).not.toMatchObject({ kind: 'WRITE_OFF' });
  });

  test.each(['RETURNING', undefined] as const)(
    'D2: of a deposit that is back (%s) is not approved, and outdated before its time',
    async (state) => {
      const proposal = await propose(bob);
      office.lostDeposits.become(KEY, state);
      expect(await refusalOf(alice.call(operator().approveProposal, { body: proposal }))).toBe('DepositNotInSuspense');
      await bob.call(operator().rejectProposal, { body: proposal });
      office.lostDeposits.away.splice(0, 1, LOST);
      await approved();
      office.lostDeposits.become(KEY, state);
      await pass(DAY);
      expect(await latest()).toMatchObject({ kind: 'WRITE_OFF', state: 'OUTDATED' });
      expect(office.lostDeposits.writtenOff).toEqual([]);
    },
  );

  test('D2: that a failure cuts off is carried out later, once; one that the engine refuses is refused', async () => {
    await approved();
    office.lostDeposits.faults.push(new Error('the heart has stopped'));
    await pass(DAY);
    expect(office.lostDeposits.writtenOff).toEqual([]);
    await office.reopen();
    await office.reopen();
    expect(office.lostDeposits.writtenOff).toEqual([KEY]);

    office.lostDeposits.away.splice(0, 1, LOST);
    await approved();
    office.lostDeposits.faults.push(new ApiError('DepositNotInSuspense', { field: 'key' }));
    await pass(DAY);
    expect(await latest()).toMatchObject({
      kind: 'WRITE_OFF',
      state: 'REFUSED',
      refusal: expect.stringContaining('nothing to write off') as string,
    });
    await office.reopen();
    expect(office.lostDeposits.writtenOff).toEqual([KEY]);
  });
});
