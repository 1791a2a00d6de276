/** Deposits of merchants: they lie in escrow, return when nothing is open, and pay for a dispute that went against their merchant. */
import { addAtoms, NO_ATOMS, subtractAtoms, type AccountId, type Millis } from '@orrery/units';
import type { CommandRejected, DepositAsMerchant, Event, PayFromMerchantDeposit, ReturnMerchantDeposit } from '@orrery/protocol';
import { missingMoney, reject, rejectBeyond } from '@orrery/rules';
import { pay } from '../ledger/movements.ts';
import { checkAmount, checkKey, refuseUnfunded } from '../money/check-money.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import { refuseActor, refuseBeginner, refuseSeller } from './check-otc.ts';
import type { MerchantDeposit } from './otc-desk.ts';
import { isEnded, loserOf, type OtcOrder } from './otc-order.ts';
import { escrowOf, fundingOf, type OtcState } from './otc-state.ts';

/** Nothing but the key is asked: whatever was deposited by it is. */
const DONE = 'done';

/** One that has paid is filled up again. */
export function depositAsMerchant(state: OtcState, { account, key }: DepositAsMerchant, at: Millis): Event[] {
  const { otc, money, ledger } = state;
  const memory = bodyOf(account, key);
  if (money.bodies('merchantDeposit').get(memory) !== undefined) return [{ type: 'CommandRepeated', key }];
  const refusal = checkKey(key, 'key') ?? refuseBeginner(state, account) ?? refuseSeller(state, account, at);
  if (refusal !== undefined) return [refusal];
  if (otc.terms === undefined) return [reject('OtcClosed')];
  const { depositAsset: asset, merchantDeposit: whole } = otc.terms;
  const before = otc.deposit(account);
  // Of another asset, from before the terms changed: it is returned first.
  if (before !== undefined && before.asset !== asset) return [reject('OtcNotIdle', 'account')];
  const there = before?.amount ?? NO_ATOMS;
  if (there >= whole) return [{ type: 'CommandRepeated', key }];
  const amount = subtractAtoms(whole, there);
  const unfunded = refuseUnfunded(state, { account, asset, amount }, at);
  if (unfunded !== undefined) return [unfunded];
  // After this point nothing fails.
  money.remember('merchantDeposit', memory, DONE);
  otc.setDeposit({ account, asset, amount: addAtoms(there, amount), key });
  pay(ledger, fundingOf(state, account, asset), escrowOf(state, asset), amount);
  return [{ type: 'MerchantDeposited', account, key, asset, amount: whole }];
}

export function returnMerchantDeposit(state: OtcState, { account, key }: ReturnMerchantDeposit): Event[] {
  const { otc, money, ledger } = state;
  const memory = bodyOf(account, key);
  if (money.bodies('merchantReturn').get(memory) !== undefined) return [{ type: 'CommandRepeated', key }];
  const refusal = checkKey(key, 'key') ?? refuseActor(state, account);
  if (refusal !== undefined) return [refusal];
  const deposit = otc.deposit(account);
  if (deposit === undefined) return [reject('UnknownMerchant', 'account')];
  const open = otc.people.open(account);
  if (open.advertisements > 0 || open.orders > 0 || mayStillPay(otc.orders(), account)) return [reject('OtcNotIdle', 'account')];
  // After this point nothing fails.
  money.remember('merchantReturn', memory, DONE);
  const { asset, amount } = deposit;
  otc.setDeposit({ ...deposit, amount: NO_ATOMS });
  pay(ledger, escrowOf(state, asset), fundingOf(state, account, asset), amount);
  return [{ type: 'MerchantDepositReturned', account, key, asset, amount }];
}

/** Whether a dispute went against the account that is not long ago, and was not paid for. */
function mayStillPay(orders: Iterable<OtcOrder>, account: AccountId): boolean {
  for (const order of orders) if (!order.isCompensated && loserOf(order) === account) return true;
  return false;
}

export function payFromMerchantDeposit(state: OtcState, command: PayFromMerchantDeposit): Event[] {
  const { key, order: id, amount } = command;
  const { otc, money, ledger } = state;
  const body = bodyOf(id, amount);
  const memory = memoryOf(money.bodies('merchantPayment'), key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const malformed = checkKey(key, 'key') ?? checkAmount(amount);
  if (malformed !== undefined) return [malformed];
  const order = otc.order(id);
  if (order === undefined) return [reject('UnknownOtcOrder', 'order')];
  const loser = isEnded(order) ? loserOf(order) : undefined;
  if (loser === undefined || order.isCompensated) return [reject('OtcOrderNotInState', 'status')];
  const deposit = otc.deposit(loser);
  if (deposit === undefined) return [reject('UnknownMerchant', 'order')];
  const refusal = memory === 'other' ? reject('KeyConflict', 'key') : refuseBeyond(deposit, command);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  money.remember('merchantPayment', key, body);
  const { asset } = deposit;
  const left = subtractAtoms(deposit.amount, amount);
  const recipient = loser === order.terms.buyer ? order.terms.seller : order.terms.buyer;
  order.isCompensated = true;
  otc.setDeposit({ ...deposit, amount: left });
  pay(ledger, escrowOf(state, asset), fundingOf(state, recipient, asset), amount);
  return [{ type: 'MerchantDepositPaid', key, order: id, account: loser, recipient, asset, amount, left }];
}

function refuseBeyond({ asset, amount: there }: MerchantDeposit, { amount }: PayFromMerchantDeposit): CommandRejected | undefined {
  return amount > there
    ? rejectBeyond('InsufficientBalance', 'amount', missingMoney(asset, { needed: amount, available: there }))
    : undefined;
}
