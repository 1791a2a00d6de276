import type { CommandRejected, Event, RequestWithdrawal } from '@orrery/protocol';
import { CAP_DAY_MS, CAP_HOUR_MS, reject } from '@orrery/rules';
import type { Atoms, Millis } from '@orrery/units';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { hold } from '../ledger/movements.ts';
import type { MoneyState } from './money-state.ts';
import { MONEY_GROUPS, refuseLeavingDegraded } from '../margin/open-positions.ts';
import { checkAmount, checkChainAsset, checkTerms, checkWithdrawalId, refuseUnfunded, unknownAsset } from './check-money.ts';
import { checkQuota, checkQuotaTerms } from './check-quota.ts';
import type { Withdrawal } from './money-records.ts';

/** Holds funding money until the payout is final on the chain, or can never happen. */
export function requestWithdrawal(state: MoneyState, command: RequestWithdrawal, at: Millis): Event[] {
  const { account, withdrawalId, asset, amount, to, quota } = command;
  const before = state.money.withdrawals.get(withdrawalId);
  if (before !== undefined && isSame(before, command)) return [{ type: 'CommandRepeated', key: withdrawalId }];
  const refusal = refuseRequest(state, { command, before, at });
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const heldAt = state.rules < 4 ? undefined : at;
  state.money.withdrawals.set(withdrawalId, { account, asset, amount, to, heldAt, state: 'held', txHash: '' });
  hold(state.ledger, state.ledger.of(account, 'funding', asset), 'withdrawalHold', amount);
  const events: Event[] = [{ type: 'WithdrawalHeld', account, withdrawalId, asset, amount, to }];
  if (heldAt !== undefined) events.push({ type: 'OutflowChanged', ...state.money.outflows.add(asset, amount, heldAt) });
  if (quota === undefined) return events;
  const { worth } = quota;
  for (const change of state.money.quotaUses.addRefundable(account, { withdrawalId, worth }, at))
    events.push({ type: 'QuotaUsed', ...change });
  return events;
}

function isSame(before: Withdrawal, { account, asset, amount, to }: RequestWithdrawal): boolean {
  return before.account === account && before.asset === asset && before.amount === amount && before.to === to;
}

interface Request {
  readonly command: RequestWithdrawal;
  /** The withdrawal of its id; undefined when there is none. */
  readonly before: Withdrawal | undefined;
  readonly at: Millis;
}

function refuseRequest(state: MoneyState, { command, before, at }: Request): CommandRejected | undefined {
  const malformed =
    checkWithdrawalId(command.withdrawalId) ??
    checkQuotaTerms(command) ??
    checkChainAsset(state, command.asset) ??
    checkAmount(command.amount) ??
    unknownAsset(state, command.asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(command.account, 'blocked')) return reject('AccountBlocked', 'account');
  const fund = refuseFundAccount(state, command.account);
  if (fund !== undefined) return fund;
  const recipient = state.accounts.at(command.to);
  if (recipient !== undefined && state.accounts.is(recipient.id, 'blocked')) return reject('AccountBlocked', 'to');
  if (state.money.hasOrphan(command.account)) return reject('DepositInSuspense', 'account');
  const refusal =
    checkTerms(state, command.account) ??
    checkCaps(state, command, at) ??
    checkQuota(state, command, at) ??
    refuseLeavingDegraded(state, command.account, MONEY_GROUPS, at);
  if (refusal !== undefined) return refusal;
  const isInternal = state.money.bodies('internal').get(command.withdrawalId) !== undefined;
  if (before !== undefined || isInternal) return reject('KeyConflict', 'withdrawalId');
  return refuseUnfunded(state, command, at);
}

/** An asset has caps since rules 4 only. */
function checkCaps({ money }: MoneyState, { asset, amount }: RequestWithdrawal, at: Millis): CommandRejected | undefined {
  const caps = money.caps.get(asset);
  if (caps === undefined) return undefined;
  const exceeds = (cap: Atoms, window: number): boolean => money.outflows.within(asset, at, window) + amount > cap;
  if (exceeds(caps.hourly, CAP_HOUR_MS)) return reject('HourlyCapExceeded', 'amount');
  return exceeds(caps.daily, CAP_DAY_MS) ? reject('DailyCapExceeded', 'amount') : undefined;
}
