/** Budgets: what faucet claims and rewards are paid from, funded beforehand and never overdrawn. */
import type { AssetId } from '@orrery/units';
import type { AwardFromBudget, Budget, CommandRejected, Event, FundBudget, ReverseAward } from '@orrery/protocol';
import { AWARD_POINTS_MAX, POINTS, reject } from '@orrery/rules';
import type { Balance, SystemAccount } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import type { Exchange } from '../exchange.ts';
import { checkAmount, checkKey, unknownAsset } from './check-money.ts';
import { bodyOf, bodyOfAward, memoryOf, type Award, type Memory } from './money-records.ts';

const ACCOUNT_OF: Readonly<Record<Budget, SystemAccount>> = { faucet: 'FAUCET_BUDGET', rewards: 'REWARD_BUDGET' };

export function budgetBalance(exchange: Exchange, budget: Budget, asset: AssetId): Balance {
  return exchange.ledger.system(ACCOUNT_OF[budget], asset);
}

/** Internal assets are issued here; chain assets lie in the vault already and are recognised. Either way EXTERNAL is the other side. */
export function fundBudget(exchange: Exchange, { key, budget, asset, amount }: FundBudget): Event[] {
  const fundings = exchange.money.bodies('budget');
  const body = bodyOf(budget, asset, amount);
  const memory = memoryOf(fundings, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const refusal = checkKey(key, 'key') ?? checkAmount(amount) ?? unknownAsset(exchange, asset);
  if (refusal !== undefined) return [refusal];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  // After this point nothing fails.
  exchange.money.remember('budget', key, body);
  pay(exchange.ledger, exchange.ledger.system('EXTERNAL', asset), budgetBalance(exchange, budget, asset), amount);
  return [{ type: 'BudgetFunded', key, budget, asset, amount }];
}

export function awardFromBudget(exchange: Exchange, command: AwardFromBudget): Event[] {
  const { key, budget, account, asset, amount } = command;
  const awards = exchange.money.bodies('award');
  const body = bodyOfAward(command);
  const memory = memoryOf(awards, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const refusal = refuseAward(exchange, command, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  exchange.money.remember('award', key, body);
  pay(exchange.ledger, budgetBalance(exchange, budget, asset), exchange.ledger.of(account, 'funding', asset), amount);
  return [{ type: 'Awarded', key, budget, account, asset, amount }];
}

function refuseAward(exchange: Exchange, command: AwardFromBudget, memory: Memory): CommandRejected | undefined {
  const { key, budget, account, asset, amount } = command;
  const malformed = checkKey(key, 'key') ?? checkAmount(amount) ?? unknownAsset(exchange, asset);
  if (malformed !== undefined) return malformed;
  if (!exchange.accounts.has(account)) return reject('UnknownAccount', 'account');
  if (exchange.accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  const isPoints = exchange.assets.get(asset)?.code === POINTS;
  if (isPoints && amount > AWARD_POINTS_MAX) return reject('AwardTooLarge', 'amount');
  if (memory === 'other') return reject('KeyConflict', 'key');
  return exchange.ledger.free(budgetBalance(exchange, budget, asset)) < amount ? reject('BudgetExhausted', 'budget') : undefined;
}

/** Also from a blocked account: what was taken unfairly is taken back. */
export function reverseAward(exchange: Exchange, command: ReverseAward): Event[] {
  const { key, awardKey } = command;
  const { money, ledger } = exchange;
  const memory = memoryOf(money.bodies('reversal'), key, awardKey);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const malformed = checkKey(key, 'key') ?? checkKey(awardKey, 'awardKey');
  if (malformed !== undefined) return [malformed];
  const award = money.award(awardKey);
  if (award === undefined) return [reject('UnknownAward', 'awardKey')];
  const refusal = refuseReversal(exchange, command, award, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  money.remember('reversal', key, awardKey);
  const { budget, account, asset, amount } = award;
  pay(ledger, ledger.of(account, 'funding', asset), budgetBalance(exchange, budget, asset), amount);
  return [{ type: 'AwardReversed', key, awardKey, ...award }];
}

/** Points never leave the funding wallet, so only an award of another asset can be spent already. */
function refuseReversal(exchange: Exchange, { awardKey }: ReverseAward, award: Award, memory: Memory): CommandRejected | undefined {
  if (exchange.money.isReversed(awardKey)) return reject('AwardAlreadyReversed', 'awardKey');
  if (memory === 'other') return reject('KeyConflict', 'key');
  const { account, asset, amount } = award;
  const { ledger } = exchange;
  return ledger.free(ledger.of(account, 'funding', asset)) < amount ? reject('InsufficientBalance', 'awardKey') : undefined;
}
