import type { CommandRejected, Event, WithdrawInternally } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import type { Millis } from '@orrery/units';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { pay } from '../ledger/movements.ts';
import { MONEY_GROUPS, refuseLeavingDegraded } from '../margin/open-positions.ts';
import { checkAmount, checkChainAsset, checkTerms, checkWithdrawalId, refuseUnfunded, unknownAsset } from './check-money.ts';
import { checkQuota, checkQuotaTerms } from './check-quota.ts';
import { bodyOf, memoryOf, type Memory } from './money-records.ts';
import type { MoneyState } from './money-state.ts';

/** Moves free funding money to another account: both legs or none. */
export function withdrawInternally(state: MoneyState, command: WithdrawInternally, at: Millis): Event[] {
  const { account, withdrawalId, asset, amount, to, quota } = command;
  const body = bodyOf(account, asset, amount, to);
  const memory = memoryOf(state.money.bodies('internal'), withdrawalId, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key: withdrawalId }];
  const recipient = state.accounts.at(to);
  const refusal = refuse(state, { command, recipient, memory, at });
  if (refusal !== undefined) return [refusal];
  if (recipient === undefined || recipient.id === account) return [reject('UnknownAccount', 'to')];
  // After this point nothing fails.
  state.money.remember('internal', withdrawalId, body);
  const { ledger } = state;
  pay(ledger, ledger.of(account, 'funding', asset), ledger.of(recipient.id, 'funding', asset), amount);
  const events: Event[] = [{ type: 'WithdrawnInternally', account, recipient: recipient.id, withdrawalId, asset, amount, to }];
  if (quota === undefined) return events;
  for (const change of state.money.quotaUses.add(account, quota.worth, at)) events.push({ type: 'QuotaUsed', ...change });
  return events;
}

interface Request {
  readonly command: WithdrawInternally;
  readonly recipient: Pick<Account, 'id'> | undefined;
  readonly memory: Memory;
  readonly at: Millis;
}

function refuse(state: MoneyState, { command, recipient, memory, at }: Request): CommandRejected | undefined {
  const { account, withdrawalId, asset, amount } = command;
  const malformed =
    checkWithdrawalId(withdrawalId) ??
    checkQuotaTerms(command) ??
    (recipient?.id === account ? reject('InvalidCombination', 'to') : undefined) ??
    checkChainAsset(state, asset) ??
    checkAmount(amount) ??
    unknownAsset(state, asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(account)) return reject('UnknownAccount', 'account');
  if (recipient === undefined) return reject('UnknownAccount', 'to');
  if (state.accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  if (state.accounts.is(recipient.id, 'blocked')) return reject('AccountBlocked', 'to');
  const fund = refuseFundAccount(state, account) ?? refuseFundAccount(state, recipient.id, 'to');
  if (fund !== undefined) return fund;
  // What left the chain must not move on to somebody who can withdraw it.
  if (state.money.hasOrphan(account)) return reject('DepositInSuspense', 'account');
  const terms = checkTerms(state, account);
  if (terms !== undefined) return terms;
  if (state.rules < 6) return reject('RulesTooOld');
  const quota = checkQuota(state, command, at);
  if (quota !== undefined) return quota;
  const degraded = refuseLeavingDegraded(state, account, MONEY_GROUPS, at);
  if (degraded !== undefined) return degraded;
  if (memory === 'other' || state.money.withdrawals.has(withdrawalId)) return reject('KeyConflict', 'withdrawalId');
  return refuseUnfunded(state, command, at);
}
