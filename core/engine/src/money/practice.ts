/** Money of practice contracts: what anyone may have of it each day, and what the exchange quotes those contracts with. EXTERNAL is the other side. */
import { millis, NO_ATOMS, subtractAtoms, type AccountId, type Atoms, type Millis } from '@orrery/units';
import type { Asset, CommandRejected, Event, GrantPractice, StockPractice } from '@orrery/protocol';
import { dayOf, practiceGrant, practiceStockMax, reject } from '@orrery/rules';
import { refuseFundAccount } from '../funds/refuse-fund.ts';
import { pay } from '../ledger/movements.ts';
import { checkTerms } from './check-money.ts';
import type { MoneyState } from './money-state.ts';

/**
 * The day is the key: an account is given once for each, so one entry an account is all that has to be remembered. Terms as for any other money; whether
 * somebody may trade is asked when an order is placed.
 */
export function grantPractice(state: MoneyState, { account, day }: GrantPractice, at: Millis): Event[] {
  if (state.rules < 7) return [reject('RulesTooOld')];
  if (state.money.practiceGrants.get(account) === day) return [{ type: 'CommandRepeated', key: `${day}` }];
  if (day !== dayOf(at)) return [reject('InvalidField', 'day')];
  const asset = practiceAsset(state);
  if (asset === undefined) return [reject('UnknownAsset')];
  const refusal = refuseAccount(state, account);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.practiceGrants.set(account, day);
  return [give(state, { account, asset, amount: practiceGrant(asset), day })];
}

/** Without a key: what is there already is not given again. */
export function stockPractice(state: MoneyState, { account, upTo }: StockPractice): Event[] {
  if (state.rules < 7) return [reject('RulesTooOld')];
  const asset = practiceAsset(state);
  if (asset !== undefined && (upTo <= NO_ATOMS || upTo > practiceStockMax(asset))) return [reject('InvalidAmount', 'upTo')];
  if (asset === undefined) return [reject('UnknownAsset')];
  const refusal = refuseAccount(state, account);
  if (refusal !== undefined) return [refusal];
  const free = state.ledger.free(state.ledger.of(account, 'futures', asset.asset));
  if (free >= upTo) return [{ type: 'CommandRepeated', key: `${account}` }];
  // After this point nothing fails.
  return [give(state, { account, asset, amount: subtractAtoms(upTo, free), day: NO_DAY })];
}

const NO_DAY = millis(0);

interface Gift {
  readonly account: AccountId;
  readonly asset: Asset;
  readonly amount: Atoms;
  readonly day: Millis;
}

function give({ ledger }: MoneyState, { account, asset: { asset }, amount, day }: Gift): Event {
  pay(ledger, ledger.system('EXTERNAL', asset), ledger.of(account, 'futures', asset), amount);
  return { type: 'PracticeGranted', account, asset, amount, day };
}

/** There is one at most. */
function practiceAsset({ practiceAssets, assets }: MoneyState): Asset | undefined {
  for (const id of practiceAssets) return assets.get(id);
  return undefined;
}

function refuseAccount(state: MoneyState, account: AccountId): CommandRejected | undefined {
  if (!state.accounts.has(account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(account, 'blocked')) return reject('AccountBlocked', 'account');
  return checkTerms(state, account) ?? refuseFundAccount(state, account);
}
