/** Budgets: what faucet claims and rewards are paid from, funded beforehand and never overdrawn. */
import type { AssetId } from '@orrery/units';
import type { AwardFromBudget, Budget, CommandRejected, Event, FundBudget } from '@orrery/protocol';
import { AWARD_POINTS_MAX, POINTS, reject } from '@orrery/rules';
import type { Balance, SystemAccount } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import type { Exchange } from '../state/exchange.ts';
import { checkAmount, checkKey, unknownAsset } from './check-money.ts';
import { bodyOf, memoryOf, type Memory } from './money-records.ts';

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
  fundings.set(key, body);
  pay(exchange.ledger, exchange.ledger.system('EXTERNAL', asset), budgetBalance(exchange, budget, asset), amount);
  return [{ type: 'BudgetFunded', key, budget, asset, amount }];
}

export function awardFromBudget(exchange: Exchange, command: AwardFromBudget): Event[] {
  const { key, budget, account, asset, amount } = command;
  const awards = exchange.money.bodies('award');
  const body = bodyOf(budget, account, asset, amount);
  const memory = memoryOf(awards, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const refusal = refuseAward(exchange, command, memory);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  awards.set(key, body);
  pay(exchange.ledger, budgetBalance(exchange, budget, asset), exchange.ledger.of(account, 'funding', asset), amount);
  return [{ type: 'Awarded', key, budget, account, asset, amount }];
}

function refuseAward(exchange: Exchange, command: AwardFromBudget, memory: Memory): CommandRejected | undefined {
  const { key, budget, account: id, asset, amount } = command;
  const malformed = checkKey(key, 'key') ?? checkAmount(amount) ?? unknownAsset(exchange, asset);
  if (malformed !== undefined) return malformed;
  const account = exchange.accounts.get(id);
  if (account === undefined) return reject('UnknownAccount', 'account');
  if (account.blocked) return reject('AccountBlocked', 'account');
  const isPoints = exchange.assets.get(asset)?.code === POINTS;
  if (isPoints && amount > AWARD_POINTS_MAX) return reject('AwardTooLarge', 'amount');
  if (memory === 'other') return reject('KeyConflict', 'key');
  return budgetBalance(exchange, budget, asset).free < amount ? reject('BudgetExhausted', 'budget') : undefined;
}
