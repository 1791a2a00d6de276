/** The money of a fund: what may leave it, and the ways in and out. */
import { addAtoms, minAtoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms, type Millis } from '@orrery/units';
import { WALLETS, type Wallet } from '@orrery/protocol';
import type { Fund } from '../funds/funds.ts';
import type { Balance } from '../ledger/balance.ts';
import { pay } from '../ledger/movements.ts';
import { crossMarginOf, transferableOf } from '../margin/cross-margin.ts';
import { holdsDegraded } from '../margin/open-positions.ts';
import { isGroupLiquidated } from '../risk/under-liquidation.ts';
import type { FundScope, FundState } from './fund-state.ts';

/** In the order in which it is taken: by how far the money is from a trade. */
const CASH_WALLETS = ['funding', 'spot', 'futures'] as const satisfies readonly Wallet[];

/** What may leave a wallet of a fund: of the one of its contracts what their margin leaves, and nothing while a price of theirs is not known. */
function leavable(state: FundState, { account, asset }: Fund, wallet: Wallet, at: Millis): Atoms {
  const { ledger, positions, rules } = state;
  const free = ledger.free(ledger.of(account, wallet, asset));
  if (wallet !== 'futures') return free;
  if (isGroupLiquidated(state, account, 'linear')) return NO_ATOMS;
  const holder = positions.known(account);
  if (holder !== undefined && holdsDegraded(holder, 'linear', rules, at)) return NO_ATOMS;
  const margin = crossMarginOf(state, account, 'linear', at);
  return margin === undefined ? free : minAtoms(free, transferableOf(margin));
}

/** Settle atoms that redemptions may be paid from now. */
export function freeCash({ state, fund, at }: FundScope): Atoms {
  let cash = NO_ATOMS;
  for (const wallet of CASH_WALLETS) cash = addAtoms(cash, leavable(state, fund, wallet, at));
  return cash;
}

/** Moves free money or coins between two wallets of a fund. */
export function moveWithin({ state, fund, events }: FundScope, asset: AssetId, from: Wallet, to: Wallet, amount: Atoms): void {
  if (amount === NO_ATOMS) return;
  const { ledger } = state;
  const { account } = fund;
  pay(ledger, ledger.of(account, from, asset), ledger.of(account, to, asset), amount);
  events.push({ type: 'FundMoneyMoved', fund: fund.fund, account, asset, amount, from, to });
}

/** Pays out of the funding wallet of a fund; what is missing there comes from the others, as `freeCash` has found it. */
export function payFromFund(scope: FundScope, account: AccountId, amount: Atoms): void {
  const { state, fund, at } = scope;
  const funding = fundingOf(state, fund, fund.account);
  for (const wallet of CASH_WALLETS) {
    const missing = subtractAtoms(amount, state.ledger.free(funding));
    if (wallet === 'funding' || missing <= NO_ATOMS) continue;
    moveWithin(scope, fund.asset, wallet, 'funding', minAtoms(missing, leavable(state, fund, wallet, at)));
  }
  pay(state.ledger, funding, fundingOf(state, fund, account), amount);
}

/** Brings into the funding wallet what may leave the others. @returns what is there now */
export function gatherFreeCash(scope: FundScope): Atoms {
  const { state, fund, at } = scope;
  for (const wallet of CASH_WALLETS)
    if (wallet !== 'funding') moveWithin(scope, fund.asset, wallet, 'funding', leavable(state, fund, wallet, at));
  return state.ledger.free(fundingOf(state, fund, fund.account));
}

/** Of the settle asset. */
export const fundingOf = ({ ledger }: FundState, { asset }: Fund, account: AccountId): Balance => ledger.of(account, 'funding', asset);

/** Brings all money of a fund that holds nothing else into its funding wallet. */
export function gatherCash(scope: FundScope): Atoms {
  const { state, fund } = scope;
  const { ledger } = state;
  for (const wallet of WALLETS)
    if (wallet !== 'funding') moveWithin(scope, fund.asset, wallet, 'funding', ledger.free(ledger.of(fund.account, wallet, fund.asset)));
  return ledger.free(fundingOf(state, fund, fund.account));
}
