import { addressOf } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { inAnOffice } from './testing/in-an-office.ts';
import { type Desk, people, refusalOf, type Office } from './testing/office.ts';

const CAROL = addressOf('0x00000000000000000000000000000000000ca401');
const DAVE = addressOf('0x00000000000000000000000000000000000da7e1');

let office: Office;
let alice: Desk;
let bob: Desk;
inAnOffice(async (opened) => {
  office = opened;
  ({ alice, bob } = await people(office));
  office.otc.open.push(
    { orderId: '7', operators: 1, sides: [CAROL], awaited: 1 },
    { orderId: '8', operators: 2, sides: [CAROL], awaited: 1 },
  );
});

const desk = () => office.operators.handlers.otcDesk;
const declare = (who: Desk, ...addresses: string[]) => who.call(desk().declareOtcArbiter, { body: { addresses } });
const decide = (who: Desk, orderId: string, outcome = 'RELEASED') =>
  who.call(desk().decideOtcDispute, { body: { orderId, outcome, reason: 'the receipt is real' } });
const decideMerchant = (who: Desk, decision: string, reason?: string) =>
  who.call(desk().decideOtcMerchant, { body: { traderId: '0123456789ab', decision, ...(reason !== undefined && { reason }) } });
const approve = async (who: Desk) => {
  const { list } = await who.call(office.operators.handlers.operator.proposals, { query: { state: 'OPEN' } });
  return who.call(office.operators.handlers.operator.approveProposal, { body: list[0] });
};
const DECIDED = { nth: 1, outcome: 'RELEASED', reason: 'the receipt is real' };

describe('[A11] disputes at the console', () => {
  test('who has not said which accounts are theirs decides nothing; what is declared stays and is in the log', async () => {
    expect(await alice.call(desk().otcArbiter)).toEqual({ addresses: [], declaredTime: null });
    expect(await refusalOf(decide(alice, '7'))).toBe('ArbiterUndeclared');
    expect(await declare(alice)).toEqual({ addresses: [], declaredTime: office.clock.now });
    await Promise.all([declare(alice, DAVE), declare(alice, `0x${'4'.repeat(40)}`)]);
    const { addresses } = await alice.call(desk().otcArbiter);
    expect(addresses.toSorted()).toEqual([DAVE, `0x${'4'.repeat(40)}`].toSorted());
    expect((await alice.auditLog()).list.filter(({ action }) => action === 'OTC_ARBITER')).toHaveLength(3);
  });

  test('one up to 1,000 USDC is decided by one operator, once', async () => {
    await declare(alice);
    await declare(bob);
    expect(await decide(alice, '7')).toEqual({ proposalId: null });
    expect(office.otc.decided).toEqual([{ orderId: '7', ...DECIDED }]);
    expect(await refusalOf(decide(bob, '7', 'RETURNED'))).toBe('UnknownThing orderId');
    expect((await alice.auditLog()).list[0]).toMatchObject({ operator: 'alice', action: 'OTC_DECISION' });
  });

  test('[A3] of two decisions at once one is taken, and the other is refused', async () => {
    await declare(alice);
    await declare(bob);
    const answers = await Promise.all([refusalOf(decide(alice, '7', 'RELEASED')), refusalOf(decide(bob, '7', 'RETURNED'))]);
    expect(answers.filter((answer) => answer !== undefined)).toEqual(['UnknownThing orderId']);
    expect(office.otc.decided).toHaveLength(1);
  });

  test('one above it is a proposal, which another operator approves', async () => {
    await declare(alice);
    await declare(bob);
    expect(await decide(alice, '8')).toEqual({ proposalId: expect.any(Number) });
    expect(office.otc.decided).toEqual([]);
    expect(await refusalOf(approve(alice))).toBe('OwnProposal');
    expect(await approve(bob)).toMatchObject({ kind: 'OTC_DECISION', state: 'DONE' });
    expect(office.otc.decided).toEqual([{ orderId: '8', ...DECIDED }]);
  });

  test('a proposal is outdated once the dispute waits for another decision, or for none', async () => {
    await declare(alice);
    await declare(bob);
    await decide(alice, '8');
    const order = office.otc.open.find(({ orderId }) => orderId === '8');
    if (order !== undefined) order.awaited = 2;
    expect(await refusalOf(approve(bob))).toBe('ProposalOutdated');
  });

  test('a side, and who is in a cluster with one, neither decides nor approves nor writes', async () => {
    await declare(alice);
    await declare(bob, CAROL);
    expect(await refusalOf(decide(bob, '7'))).toBe('ArbiterConflict orderId');
    expect(await refusalOf(bob.call(desk().sendOtcDeskMessage, { body: { orderId: '7', text: 'hello' } }))).toBe('ArbiterConflict orderId');
    expect(await bob.call(desk().otcDispute, { body: { orderId: '7' } })).toMatchObject({ conflict: true });
    await decide(alice, '8');
    expect(await refusalOf(approve(bob))).toBe('ArbiterConflict orderId');
    expect(office.otc.decided).toEqual([]);
    await alice.call(desk().sendOtcDeskMessage, { body: { orderId: '7', text: 'hello' } });
    expect(office.otc.said).toEqual(['7 hello']);
  });

  test('who looks at the evidence is in the log', async () => {
    await alice.call(desk().otcDispute, { body: { orderId: '7' } });
    expect((await alice.auditLog()).list[0]).toMatchObject({ operator: 'alice', action: 'OTC_VIEW', detail: '{"orderId":"7"}' });
  });

  test('a payment from a deposit is made by two operators', async () => {
    await declare(alice);
    await declare(bob);
    const body = { orderId: '7', amount: '100', reason: 'the coin is gone' };
    expect(await alice.call(desk().payFromOtcDeposit, { body })).toMatchObject({ kind: 'OTC_PAYMENT', state: 'WAITING' });
    expect(office.otc.paid).toEqual([]);
    await approve(bob);
    await office.operators.runDue();
    expect(office.otc.paid).toEqual([body]);
  });

  test('a decision that a failure cuts off is carried out later, once', async () => {
    await declare(alice);
    office.otc.faults.push(new Error('the database is gone'));
    await expect(decide(alice, '7')).rejects.toThrow('the database is gone');
    await office.reopen();
    await office.reopen();
    expect(office.otc.decided).toEqual([{ orderId: '7', ...DECIDED }]);
  });
});

describe('[A11] merchants at the console', () => {
  test('an application is approved, or refused with the reason, once; a merchant can be ended', async () => {
    expect(await refusalOf(decideMerchant(alice, 'APPROVED'))).toBe('UnknownThing traderId');
    office.otc.applied.set('0123456789ab', 'WAITING');
    expect(await refusalOf(decideMerchant(alice, 'REFUSED'))).toBe('MissingField reason');
    expect(await refusalOf(decideMerchant(alice, 'APPROVED', 'fine'))).toBe('MalformedField reason');
    const answers = await Promise.all([refusalOf(decideMerchant(alice, 'APPROVED')), refusalOf(decideMerchant(bob, 'APPROVED'))]);
    expect(answers.filter((answer) => answer !== undefined)).toEqual(['UnknownThing traderId']);
    await decideMerchant(bob, 'REFUSED', 'complaints');
    expect(office.otc.applied.get('0123456789ab')).toBe('REFUSED');
  });
});
