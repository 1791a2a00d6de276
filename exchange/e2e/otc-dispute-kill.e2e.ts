/**
 * A dispute of the whole program, killed at each of its arrows: while it is opened, while its decision is proposed, made and appealed, and while the second decision is made, which
 * is carried out at once. A minute of the desk lasts 0.8 seconds here.
 */
import { SentFile, type OtcOrderDetail } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import type { Client } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { killedWhile } from './killed-while.ts';
import { momentsOf } from './little-time.ts';
import { join } from './operator.ts';
import { claimTokens, type Person, signIn } from './person.ts';
import { PIXEL } from './pixel.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
/** From the call to kill -9: before it is taken, while it is in the journal, while it is written into SQL. An order has another one at each arrow. */
const KILLED_AFTER_MS = momentsOf([2, 10, 40]);
const AMOUNT = 1_200;
const ADVERTISED = 9_000;
const WORDS = 'the bank has the money';

withProgram({
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_TIMELOCK_SECONDS: '1',
    ORRERY_MARKET_MAKER: 'off',
    ORRERY_OTC_MINUTE_MS: '800',
  },
});

let alice: Person;
let bob: Person;
let operators: readonly [Client, Client];

async function kill(call: () => Promise<unknown>, afterMs: number): Promise<boolean> {
  const isAnswered = await killedWhile(call, { afterMs });
  for (const person of [alice, bob]) await person.refresh();
  return isAnswered;
}

async function openDesk(): Promise<void> {
  const { client: first } = await join(program.url, { code: FIRST_CODE, name: 'olga', from: '10.12.0.3' });
  const { code } = await first.inviteOperator({ name: 'oscar', role: 'operator' });
  await until('the invitation opens', async () => (await first.proposals()).list.every(({ state }) => state === 'DONE'));
  const { client: second } = await join(program.url, { code, name: 'oscar', from: '10.12.0.4' });
  operators = [first, second];
  for (const operator of operators) await operator.declareOtcArbiter({ addresses: [] });
}

async function paidOrders(): Promise<readonly string[]> {
  const { paymentMethodId } = await alice.client.addOtcPaymentMethod({ kind: 'ALIPAY', name: 'Alice Example', number: '13800000000' });
  const { advertisingId } = await alice.client.createOtcAdvertisement({
    side: 'SELL',
    coin: 'USDC',
    currency: 'cny',
    priceType: 'FIXED',
    price: '7.1',
    amount: String(ADVERTISED),
    minTotal: '10',
    maxTotal: '60000',
    paymentMethodIds: [paymentMethodId],
    payWindowMinutes: 30,
  });
  const ids: string[] = [];
  for (const [index] of KILLED_AFTER_MS.entries()) {
    const { orderId } = await bob.client.createOtcOrder({ advertisingId, clientOrderId: `order-${index}`, amount: String(AMOUNT) });
    await bob.client.markOtcOrderPaid({ orderId });
    ids.push(orderId);
  }
  return ids;
}

const orderOf = (by: Person, orderId: string): Promise<OtcOrderDetail> => by.client.otcOrder({ orderId });
const openFor = async (orderId: string) =>
  (await operators[0].proposals({ state: 'OPEN' })).list.filter(
    ({ kind, change }) => kind === 'OTC_DECISION' && change.includes(`"orderId":"${orderId}"`),
  );

/** Killed while the buyer opens it; repeated where nothing came of it. */
async function dispute(orderId: string, afterMs: number): Promise<void> {
  const open = () => bob.client.appealOtcOrder({ orderId, reason: 'NOT_RELEASED', text: WORDS });
  const isAnswered = await kill(open, afterMs);
  const { status, statements } = await orderOf(bob, orderId);
  if (isAnswered) expect([status, statements.map(({ kind, text }) => `${kind} ${text}`)]).toEqual(['DISPUTED', [`DISPUTE ${WORDS}`]]);
  const again = await open();
  expect([again.status, again.statements.map(({ text }) => text)]).toEqual(['DISPUTED', [WORDS]]);
}

type Outcome = 'RELEASED' | 'RETURNED';

const propose = (orderId: string, outcome: Outcome) =>
  operators[0].decideOtcDispute({ orderId, outcome, reason: 'what both sides have shown' });

async function proposeKilled(orderId: string, outcome: Outcome, afterMs: number): Promise<void> {
  const isAnswered = await kill(() => propose(orderId, outcome), afterMs);
  const there = await openFor(orderId);
  if (isAnswered) expect(there).toHaveLength(1);
  expect(there.length).toBeLessThanOrEqual(1);
  // As an operator does that got no answer: there may be two that say the same now, of which one takes effect.
  await propose(orderId, outcome);
  expect((await orderOf(bob, orderId)).status).toBe('DISPUTED');
}

/** Killed while the second operator approves it; approved again where that was lost. Another one that says the same decides nothing more. */
async function approveKilled(orderId: string, afterMs: number): Promise<void> {
  const [proposal, same] = await openFor(orderId);
  if (proposal === undefined) throw new Error(`nothing is proposed about order ${orderId}`);
  const { proposalId, hash } = proposal;
  await expect(operators[0].approveProposal({ proposalId, hash })).rejects.toThrow(/somebody else/);
  const approve = () => operators[1].approveProposal({ proposalId, hash });
  const isAnswered = await kill(approve, afterMs);
  const stateNow = async () => (await operators[0].proposals()).list.find((each) => each.proposalId === proposalId)?.state;
  if (isAnswered) expect(['APPROVED', 'DONE']).toContain(await stateNow());
  if ((await stateNow()) === 'WAITING') await approve();
  else await expect(approve()).rejects.toThrow(CallError);
  await until('the decision is made', async () => (await stateNow()) === 'DONE');
  await until('the order has it', async () => (await orderOf(bob, orderId)).decision !== null);
  if (same !== undefined)
    await expect(operators[1].approveProposal({ proposalId: same.proposalId, hash: same.hash })).rejects.toThrow(CallError);
}

/** Killed while the seller appeals with a receipt that is new; repeated where nothing came of it. */
async function appeal(orderId: string, afterMs: number): Promise<void> {
  const { receiptId } = await alice.client.uploadOtcReceipt({ orderId, file: new SentFile('image/png', PIXEL) });
  const call = () => alice.client.appealOtcOrder({ orderId, reason: 'NOT_PAID', text: 'nothing has arrived', receiptIds: [receiptId] });
  const isAnswered = await kill(call, afterMs);
  const before = await operators[0].otcDispute({ orderId });
  if (isAnswered) expect([before.state, before.sides.seller.statements.map(({ kind }) => kind)]).toEqual(['APPEALED', ['APPEAL']]);
  await call();
  const { state, sides } = await operators[0].otcDispute({ orderId });
  expect([state, sides.seller.statements.length]).toEqual(['APPEALED', 1]);
}

const usdcOf = async (person: Person): Promise<number> =>
  Number((await person.client.balances({ account: 'funding' })).find(({ coin }) => coin === 'USDC')?.availableBalance);

test('[A11] OT1: kill -9 at each arrow of a dispute: nothing that was answered is lost, and the coin is released once or returned once', async () => {
  alice = await signIn(program.url, { from: '10.12.0.1' });
  bob = await signIn(program.url, { from: '10.12.0.2' });
  for (const person of [alice, bob]) await claimTokens(program.url, person);
  await openDesk();
  const [before, orders] = [await usdcOf(bob), await paidOrders()];
  const late = orders.length - 1;
  await until('the last one can be disputed', async () => {
    const { canDisputeAt, serverTime } = await orderOf(bob, orders[late] ?? '');
    return canDisputeAt !== null && canDisputeAt <= serverTime;
  });
  const delay = (order: number, arrow: number): number => KILLED_AFTER_MS[(order + arrow) % KILLED_AFTER_MS.length] ?? 0;
  for (const [index, orderId] of orders.entries()) {
    await dispute(orderId, delay(index, 0));
    await proposeKilled(orderId, 'RELEASED', delay(index, 1));
    await approveKilled(orderId, delay(index, 2));
    // The first one is not appealed: its decision becomes due while the program is killed for the others.
    if (index === 0) continue;
    await appeal(orderId, delay(index, 0));
    await propose(orderId, 'RETURNED');
    await approveKilled(orderId, delay(index, 1));
    expect((await orderOf(alice, orderId)).status).toBe('RETURNED');
  }
  await until('the decision that nobody appealed is carried out', async () => (await orderOf(bob, orders[0] ?? '')).status === 'RELEASED');
  for (const orderId of orders) {
    const statuses = (await orderOf(bob, orderId)).steps.map(({ status }) => status);
    expect(new Set(statuses).size).toBe(statuses.length);
  }
  expect(await usdcOf(bob)).toBe(before + AMOUNT);
  const { escrow } = await alice.client.otcInfo();
  const left = String(ADVERTISED - AMOUNT);
  expect(escrow.find(({ coin }) => coin === 'USDC')).toEqual({ coin: 'USDC', advertised: left, inOrders: '0', deposits: '0', total: left });
  expect((await operators[0].auditLog({ pageSize: 10 })).brokenAt).toBeNull();
});
