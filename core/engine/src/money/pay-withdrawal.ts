/** A withdrawal's way after its money is held: held → sent → posted, or refunded from either of the first two. */
import type { CommandRejected, Event, MarkWithdrawalSent, PostWithdrawal, RefundWithdrawal } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Millis } from '@orrery/units';
import { payFromHeld, release } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';
import { checkKey } from './check-money.ts';
import type { WithdrawalState } from './money-records.ts';

/** A payout sent again with a higher fee has another hash: a sent withdrawal takes it. */
export function markWithdrawalSent(state: MoneyState, { withdrawalId, txHash }: MarkWithdrawalSent): Event[] {
  const malformed = checkKey(txHash, 'txHash');
  if (malformed !== undefined) return [malformed];
  const withdrawal = state.money.withdrawals.get(withdrawalId);
  if (withdrawal === undefined) return [reject('UnknownWithdrawal', 'withdrawalId')];
  if (withdrawal.txHash === txHash) return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseState(withdrawal.state, ['held', 'sent']);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  withdrawal.state = 'sent';
  withdrawal.txHash = txHash;
  return [{ type: 'WithdrawalSent', account: withdrawal.account, withdrawalId, txHash }];
}

export function postWithdrawal(state: MoneyState, { withdrawalId, txHash }: PostWithdrawal): Event[] {
  const malformed = checkKey(txHash, 'txHash');
  if (malformed !== undefined) return [malformed];
  const withdrawal = state.money.withdrawals.get(withdrawalId);
  if (withdrawal === undefined) return [reject('UnknownWithdrawal', 'withdrawalId')];
  if (withdrawal.state === 'posted' && withdrawal.txHash === txHash) return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseState(withdrawal.state, ['sent']);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  withdrawal.state = 'posted';
  withdrawal.txHash = txHash;
  state.money.quotaUses.settle(withdrawalId);
  const { account, asset, amount } = withdrawal;
  const { ledger } = state;
  payFromHeld(ledger, ledger.of(account, 'funding', asset), 'withdrawalHold', ledger.system('EXTERNAL', asset), amount);
  return [{ type: 'WithdrawalPosted', account, withdrawalId, asset, amount, txHash }];
}

/** What returns has not left, so it no longer counts toward the caps, nor toward the quota of its account. */
export function refundWithdrawal(state: MoneyState, { withdrawalId }: RefundWithdrawal, at: Millis): Event[] {
  const withdrawal = state.money.withdrawals.get(withdrawalId);
  if (withdrawal === undefined) return [reject('UnknownWithdrawal', 'withdrawalId')];
  if (withdrawal.state === 'refunded') return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseState(withdrawal.state, ['held', 'sent']);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  withdrawal.state = 'refunded';
  const { account, asset, amount, heldAt } = withdrawal;
  release(state.ledger, state.ledger.of(account, 'funding', asset), 'withdrawalHold', amount);
  const outflow = heldAt === undefined ? undefined : state.money.outflows.takeBack({ asset, amount, heldAt }, at);
  const use = heldAt === undefined ? undefined : state.money.quotaUses.refund({ account, withdrawalId, heldAt }, at);
  const events: Event[] = [{ type: 'WithdrawalRefunded', account, withdrawalId, asset, amount }];
  if (outflow !== undefined) events.push({ type: 'OutflowChanged', ...outflow });
  if (use !== undefined) events.push({ type: 'QuotaUsed', ...use });
  return events;
}

function refuseState(state: WithdrawalState, wanted: readonly WithdrawalState[]): CommandRejected | undefined {
  return wanted.includes(state) ? undefined : reject('WithdrawalNotInState', 'withdrawalId');
}
