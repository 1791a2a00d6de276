/** Budgets: what faucet claims and rewards are paid from, funded beforehand and never overdrawn. */
import type { AssetId } from '@orrery/units';
import type { AwardFromBudget, Budget, CommandRejected, Event, FundBudget, ReverseAward } from '@orrery/protocol';
import { AWARD_POINTS_MAX, POINTS, reject } from '@orrery/rules';
import { refusePractice } from '../instruments/refuse-practice.ts';
import { refuseFundAccount, refuseFundShare } from '../funds/refuse-fund.ts';
import type { Balance, SystemAccount } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import { repayUncovered } from '../ledger/repay-uncovered.ts';
import type { MoneyState } from './money-state.ts';
import { checkAmount, checkKey, unknownAsset } from './check-money.ts';
import { bodyOf, bodyOfAward, memoryOf, type Award, type Memory } from './money-records.ts';

const ACCOUNT_OF: Readonly<Record<Budget, SystemAccount>> = { faucet: 'FAUCET_BUDGET', rewards: 'REWARD_BUDGET', insurance: 'INSURANCE' };

export function budgetBalance(state: MoneyState, budget: Budget, asset: AssetId): Balance {
  return state.ledger.system(ACCOUNT_OF[budget], asset);
}

/** Internal assets are issued here; chain assets lie in the vault already and are recognised. Either way EXTERNAL is the other side. */
export function fundBudget(state: MoneyState, { key, budget, asset, amount }: FundBudget): Event[] {
  const fundings = state.money.bodies('budget');
  const body = bodyOf(budget, asset, amount);
  const memory = memoryOf(fundings, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  // What is lost in practice has a fund of its own; nothing else is paid in it.
  const practice = budget === 'insurance' ? refuseFundShare(state, asset) : refusePractice(state, asset);
  const refusal = checkKey(key, 'key') ?? practice ?? checkAmount(amount) ?? unknownAsset(state, asset);
  if (refusal !== undefined) return [refusal];
  if (budget === 'insurance' && state.rules < 5) return [reject('RulesTooOld')];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  // After this point nothing fails.
  state.money.remember('budget', key, body);
  pay(state.ledger, state.ledger.system('EXTERNAL', asset), budgetBalance(state, budget, asset), amount);
  if (budget === 'insurance') repayUncovered(state.ledger, state.rules, asset);
  return [{ type: 'BudgetFunded', key, budget, asset, amount }];
}

export function awardFromBudget(state: MoneyState, command: AwardFromBudget): Event[] {
  const { key, budget, account, asset, amount } = command;
  const awards = state.money.bodies('award');
  const body = bodyOfAward(command);
  const memory = memoryOf(awards, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const refusal = refuseAward(state, command, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.remember('award', key, body);
  pay(state.ledger, budgetBalance(state, budget, asset), state.ledger.of(account, 'funding', asset), amount);
  return [{ type: 'Awarded', key, budget, account, asset, amount }];
}

function refuseAward(state: MoneyState, command: AwardFromBudget, memory: Memory): CommandRejected | undefined {
  const { key, budget, account, asset, amount } = command;
  const malformed =
    checkKey(key, 'key') ??
    // The insurance fund pays for losses alone.
    (budget === 'insurance' ? reject('InvalidField', 'budget') : undefined) ??
    refusePractice(state, asset) ??
    checkAmount(amount) ??
    unknownAsset(state, asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  const fund = refuseFundAccount(state, account);
  if (fund !== undefined) return fund;
  const isPoints = state.assets.get(asset)?.code === POINTS;
  if (isPoints && amount > AWARD_POINTS_MAX) return reject('AwardTooLarge', 'amount');
  if (memory === 'other') return reject('KeyConflict', 'key');
  return state.ledger.free(budgetBalance(state, budget, asset)) < amount ? reject('BudgetExhausted', 'budget') : undefined;
}

/** Also from a blocked account: what was taken unfairly is taken back. */
export function reverseAward(state: MoneyState, command: ReverseAward): Event[] {
  const { key, awardKey } = command;
  const { money, ledger } = state;
  const memory = memoryOf(money.bodies('reversal'), key, awardKey);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const malformed = checkKey(key, 'key') ?? checkKey(awardKey, 'awardKey');
  if (malformed !== undefined) return [malformed];
  const award = money.award(awardKey);
  if (award === undefined) return [reject('UnknownAward', 'awardKey')];
  const refusal = refuseReversal(state, command, award, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  money.remember('reversal', key, awardKey);
  const { budget, account, asset, amount } = award;
  pay(ledger, ledger.of(account, 'funding', asset), budgetBalance(state, budget, asset), amount);
  return [{ type: 'AwardReversed', key, awardKey, ...award }];
}

/** Points never leave the funding wallet, so only an award of another asset can be spent already. */
function refuseReversal(state: MoneyState, { awardKey }: ReverseAward, award: Award, memory: Memory): CommandRejected | undefined {
  if (state.money.isReversed(awardKey)) return reject('AwardAlreadyReversed', 'awardKey');
  if (memory === 'other') return reject('KeyConflict', 'key');
  const { account, asset, amount } = award;
  const { ledger } = state;
  const fund = refuseFundAccount(state, account, 'awardKey');
  if (fund !== undefined) return fund;
  return ledger.free(ledger.of(account, 'funding', asset)) < amount ? reject('InsufficientBalance', 'awardKey') : undefined;
}
