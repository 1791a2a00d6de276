import type { CommandRejected, Event, RequestWithdrawal } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { hold } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';
import { checkAmount, checkChainAsset, unknownAsset } from './check-money.ts';
import type { Withdrawal } from './money-records.ts';

/** 32 bytes: the id by which the vault pays once. */
const WITHDRAWAL_ID = /^0x[0-9a-f]{64}$/;

/** Holds funding money until the payout is final on the chain, or can never happen. */
export function requestWithdrawal(state: MoneyState, command: RequestWithdrawal): Event[] {
  const { account, withdrawalId, asset, amount, to } = command;
  const before = state.money.withdrawals.get(withdrawalId);
  if (before !== undefined && isSame(before, command)) return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseRequest(state, command, before);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.withdrawals.set(withdrawalId, { account, asset, amount, to, state: 'held', txHash: '' });
  hold(state.ledger, state.ledger.of(account, 'funding', asset), 'withdrawalHold', amount);
  return [{ type: 'WithdrawalHeld', account, withdrawalId, asset, amount, to }];
}

function isSame(before: Withdrawal, { account, asset, amount, to }: RequestWithdrawal): boolean {
  return before.account === account && before.asset === asset && before.amount === amount && before.to === to;
}

function refuseRequest(state: MoneyState, command: RequestWithdrawal, before: Withdrawal | undefined): CommandRejected | undefined {
  if (!WITHDRAWAL_ID.test(command.withdrawalId)) return reject('InvalidField', 'withdrawalId');
  const malformed = checkChainAsset(state, command.asset) ?? checkAmount(command.amount) ?? unknownAsset(state, command.asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(command.account, 'blocked')) return reject('AccountBlocked', 'account');
  const recipient = state.accounts.at(command.to);
  if (recipient !== undefined && state.accounts.is(recipient.id, 'blocked')) return reject('AccountBlocked', 'to');
  if (state.money.hasOrphan(command.account)) return reject('DepositInSuspense', 'account');
  if (before !== undefined) return reject('KeyConflict', 'withdrawalId');
  const { ledger } = state;
  const free = ledger.free(ledger.of(command.account, 'funding', command.asset));
  return free < command.amount ? reject('InsufficientBalance', 'amount') : undefined;
}
