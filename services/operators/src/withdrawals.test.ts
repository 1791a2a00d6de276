import { describe, expect, test } from 'vitest';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const WITHDRAWAL_ID = `0x${'7'.repeat(64)}`;
const HELD = {
  withdrawalId: WITHDRAWAL_ID,
  account: 7,
  coin: 'USDC',
  amount: '20000',
  worth: '20000',
  to: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  cause: 'ABOVE_LIMIT' as const,
  waitsSince: 5,
};

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
  office.withdrawals.held.push(HELD);
});

const desk = () => office.operators.handlers.withdrawalDesk;
const queue = () => bob.call(desk().waitingWithdrawals);
const decide = (body: object) => bob.call(desk().decideWithdrawal, { body: { withdrawalId: WITHDRAWAL_ID, ...body } });

describe('withdrawals at the console', () => {
  test('[A8] one that waits is listed, approved once, and the log says by whom', async () => {
    expect(await queue()).toEqual({ list: [HELD], total: 1 });
    await decide({ decision: 'APPROVED' });
    expect(office.withdrawals.decided).toEqual([{ withdrawalId: WITHDRAWAL_ID, decision: 'APPROVED', reason: null }]);
    expect(await queue()).toEqual({ list: [], total: 0 });
    expect((await alice.auditLog()).list[0]).toMatchObject({ operator: 'bob', action: 'WITHDRAWAL' });
    expect(await refusalOf(decide({ decision: 'REFUSED', reason: 'too late' }))).toBe('UnknownThing withdrawalId');
  });

  test('[A8] it is refused with a reason only, and approved without one', async () => {
    expect(await refusalOf(decide({ decision: 'REFUSED' }))).toBe('MissingField reason');
    expect(await refusalOf(decide({ decision: 'APPROVED', reason: 'looks good' }))).toBe('MalformedField reason');
    expect(office.withdrawals.decided).toEqual([]);
    await decide({ decision: 'REFUSED', reason: 'the address is that of a known thief' });
    expect(office.withdrawals.decided).toMatchObject([{ decision: 'REFUSED', reason: 'the address is that of a known thief' }]);
  });

  test('[A8] one that nobody waits for is not decided', async () => {
    expect(await refusalOf(decide({ withdrawalId: `0x${'8'.repeat(64)}`, decision: 'APPROVED' }))).toBe('UnknownThing withdrawalId');
    expect((await alice.auditLog()).list.filter(({ action }) => action === 'WITHDRAWAL')).toEqual([]);
  });

  test('[A8] a decision that a failure cuts off is carried out later, once', async () => {
    office.withdrawals.faults.push(new Error('the database is gone'));
    await expect(decide({ decision: 'APPROVED' })).rejects.toThrow('the database is gone');
    expect(office.withdrawals.decided).toEqual([]);
    await office.reopen();
    expect(office.withdrawals.decided).toHaveLength(1);
    await office.reopen();
    expect(office.withdrawals.decided).toHaveLength(1);
  });
});
