import type { CommandRejected, Event, RequestWithdrawal } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { hold } from '../ledger/movements.ts';
import type { Exchange } from '../exchange.ts';
import { checkAmount, checkChainAsset, unknownAsset } from './check-money.ts';
import type { Withdrawal } from './money-records.ts';

/** 32 bytes: the id by which the vault pays once. */
const WITHDRAWAL_ID = /^0x[0-9a-f]{64}$/;

/** Holds funding money until the payout is final on the chain, or can never happen. */
export function requestWithdrawal(exchange: Exchange, command: RequestWithdrawal): Event[] {
  const { account, withdrawalId, asset, amount, to } = command;
  const before = exchange.money.withdrawals.get(withdrawalId);
  if (before !== undefined && isSame(before, command)) return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseRequest(exchange, command, before);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  exchange.money.withdrawals.set(withdrawalId, { account, asset, amount, to, state: 'held', txHash: '' });
  hold(exchange.ledger, exchange.ledger.of(account, 'funding', asset), amount);
  return [{ type: 'WithdrawalHeld', account, withdrawalId, asset, amount, to }];
}

function isSame(before: Withdrawal, { account, asset, amount, to }: RequestWithdrawal): boolean {
  return before.account === account && before.asset === asset && before.amount === amount && before.to === to;
}

function refuseRequest(exchange: Exchange, command: RequestWithdrawal, before: Withdrawal | undefined): CommandRejected | undefined {
  if (!WITHDRAWAL_ID.test(command.withdrawalId)) return reject('InvalidField', 'withdrawalId');
  const malformed = checkChainAsset(exchange, command.asset) ?? checkAmount(command.amount) ?? unknownAsset(exchange, command.asset);
  if (malformed !== undefined) return malformed;
  if (!exchange.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (exchange.accounts.is(command.account, 'blocked')) return reject('AccountBlocked', 'account');
  const recipient = exchange.accounts.at(command.to);
  if (recipient !== undefined && exchange.accounts.is(recipient.id, 'blocked')) return reject('AccountBlocked', 'to');
  if (exchange.money.hasOrphan(command.account)) return reject('DepositInSuspense', 'account');
  if (before !== undefined) return reject('KeyConflict', 'withdrawalId');
  const { ledger } = exchange;
  const free = ledger.free(ledger.of(command.account, 'funding', command.asset));
  return free < command.amount ? reject('InsufficientBalance', 'amount') : undefined;
}
