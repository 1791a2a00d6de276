/**
 * How an account pays what it owes from a contract, so that a trade never fails for money. An isolated position pays from its margin, a cross one
 * from the free money of the wallet, then from what its other positions have gained, then from its collateral; what is missing then the insurance fund pays, and what it has not, UNCOVERED.
 */
import {
  addAtoms,
  atoms,
  bigintOf,
  divCeil,
  minAtoms,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  NO_TICKS,
  subtractAtoms,
  type Atoms,
} from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { gainsByNotional, type RulesVersion } from '@orrery/rules';
import type { Funds } from '../funds/funds.ts';
import type { WorthState } from '../funds/worth.ts';
import type { Balance } from '../ledger/balance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { pay, payFromHeld } from '../ledger/movements.ts';
import { repayUncovered } from '../ledger/repay-uncovered.ts';
import { priceOf, worthAt, type Collaterals, type ListedCollateral } from '../margin/collaterals.ts';
import { unrealisedOf } from '../margin/cross-margin.ts';
import { isLong, type Exposure, type PositionRow } from '../positions/position-row.ts';
import type { Positions } from '../positions/positions.ts';

export interface PaymentState {
  readonly ledger: Ledger;
  readonly collaterals: Collaterals;
  readonly positions: Positions;
  /** By which commands are applied. */
  readonly rules: RulesVersion;
  readonly funds: Funds;
  /** By whose prices the coins of a fund count. */
  readonly markets: WorthState['markets'];
}

/** Who paid a debt. */
export interface Payment {
  readonly fromAccount: Atoms;
  readonly fromInsurance: Atoms;
  readonly uncovered: Atoms;
}

/** Takes settle atoms, from 0, from a position's account into `to`. @param events receives the collateral that was sold for it */
export function collect(state: PaymentState, row: PositionRow, to: Balance, amount: Atoms, events: Event[]): Payment {
  const { exposure } = row;
  const fromAccount =
    exposure.mode === 'isolated' ? collectMargin(state, row, to, amount) : collectFree(state, exposure, to, amount, events);
  const missing = subtractAtoms(amount, fromAccount);
  if (missing === NO_ATOMS) return { fromAccount, fromInsurance: NO_ATOMS, uncovered: NO_ATOMS };
  return { fromAccount, ...collectFromFund(state, exposure, to, missing) };
}

function collectMargin({ ledger }: PaymentState, row: PositionRow, to: Balance, amount: Atoms): Atoms {
  const part = minAtoms(row.margin, amount);
  if (part > NO_ATOMS) payFromHeld(ledger, row.exposure.balance, 'positionMargin', to, part);
  row.margin = subtractAtoms(row.margin, part);
  return part;
}

function collectFree(state: PaymentState, exposure: Exposure, to: Balance, amount: Atoms, events: Event[]): Atoms {
  const { ledger } = state;
  let free = ledger.free(exposure.balance);
  if (free < amount && state.rules >= 6) {
    settleProfits(state, exposure, subtractAtoms(amount, free), events);
    free = ledger.free(exposure.balance);
  }
  if (free < amount && exposure.contract.group === 'linear') {
    sellCollateral(state, exposure, subtractAtoms(amount, free), events);
    free = ledger.free(exposure.balance);
  }
  const part = minAtoms(free, amount);
  pay(ledger, exposure.balance, to, part);
  return part;
}

/**
 * Profit of cross positions of the margin group that nobody realised yet pays up to `needed`, at mark: it becomes realised, and the cost of its position moves
 * towards the mark. The equity of the account stays as it is, so nobody else pays a loss that its other positions have gained.
 */
function settleProfits(state: PaymentState, { holder, contract }: Exposure, needed: Atoms, events: Event[]): void {
  let missing = needed;
  for (const { mode, contract: other, rows } of holder.exposures) {
    if (mode === 'isolated' || other.group !== contract.group || other.terms.settle !== contract.terms.settle) continue;
    for (const row of rows) {
      if (row === undefined || row.size === NO_POSITION || missing === NO_ATOMS) continue;
      const profit = minAtoms(unrealisedOf(row), missing);
      if (profit <= NO_ATOMS) continue;
      settleProfit(state, row, profit, events);
      missing = subtractAtoms(missing, profit);
    }
  }
}

/** As a reduction by no lots: P3 holds, because CLEARING pays what the cost takes on. */
function settleProfit({ ledger, positions }: PaymentState, row: PositionRow, profit: Atoms, events: Event[]): void {
  const { contract, balance, holder } = row.exposure;
  const { market, payoff, settle } = contract.terms;
  const long = isLong(row);
  positions.touch(row);
  row.cost = gainsByNotional(long ? 'long' : 'short', payoff) ? addAtoms(row.cost, profit) : subtractAtoms(row.cost, profit);
  row.realised = addAtoms(row.realised, profit);
  pay(ledger, ledger.system('CLEARING', settle), balance, profit);
  const nothing = { size: NO_LOTS, price: NO_TICKS, notional: NO_ATOMS, releasedCost: NO_ATOMS, fee: NO_ATOMS };
  events.push({
    type: 'PositionReduced',
    account: holder.account,
    market,
    positionSide: row.positionSide,
    isLong: long,
    ...nothing,
    profit,
    cause: 'trade',
  });
}

function collectFromFund({ ledger }: PaymentState, { contract }: Exposure, to: Balance, missing: Atoms): Omit<Payment, 'fromAccount'> {
  const { settle } = contract.terms;
  const fund = ledger.system('INSURANCE', settle);
  const fromInsurance = minAtoms(ledger.free(fund), missing);
  pay(ledger, fund, to, fromInsurance);
  const uncovered = subtractAtoms(missing, fromInsurance);
  if (uncovered > NO_ATOMS) pay(ledger, ledger.system('UNCOVERED', settle), to, uncovered);
  return { fromInsurance, uncovered };
}

/**
 * The insurance fund buys collateral at its price × ratio, asset by asset, until `needed` settle atoms are there or nothing is left to sell. What
 * the fund has no money for UNCOVERED lends it, against the collateral that it holds then; before rules 6 it was not sold, and its account kept it.
 */
function sellCollateral(
  { ledger, collaterals, rules }: PaymentState,
  { balance, holder, contract }: Exposure,
  needed: Atoms,
  events: Event[],
): void {
  const { settle } = contract.terms;
  const fund = ledger.system('INSURANCE', settle);
  let missing = needed;
  for (const collateral of collaterals) {
    const { asset } = collateral.terms;
    const own = ledger.of(holder.account, 'futures', asset);
    const buyable = rules < 6 ? minAtoms(missing, ledger.free(fund)) : missing;
    const amount = amountFor(ledger.free(own), buyable, collateral);
    if (amount === NO_ATOMS) continue;
    const proceeds = minAtoms(worthAt(amount, collateral), buyable);
    pay(ledger, own, ledger.system('INSURANCE', asset), amount);
    repayUncovered(ledger, rules, asset);
    const fromFund = minAtoms(proceeds, ledger.free(fund));
    pay(ledger, fund, balance, fromFund);
    if (proceeds > fromFund) pay(ledger, ledger.system('UNCOVERED', settle), balance, subtractAtoms(proceeds, fromFund));
    missing = subtractAtoms(missing, proceeds);
    events.push({ type: 'CollateralSold', account: holder.account, asset, amount, price: priceOf(collateral), settle, proceeds });
  }
}

/** All of it at once: each sale rounds for itself. */
export function sellAllCollateral(state: PaymentState, exposure: Exposure, events: Event[]): void {
  const { contract, holder, mode } = exposure;
  if (mode === 'isolated' || contract.group !== 'linear') return;
  const worth = state.collaterals.worthOf(state.ledger, holder.account);
  if (worth > NO_ATOMS) sellCollateral(state, exposure, worth, events);
}

/** The least amount, at most `free`, that is worth `needed`; rounded up, so that the fund never pays more than it receives. */
function amountFor(free: Atoms, needed: Atoms, collateral: ListedCollateral): Atoms {
  const { terms } = collateral.market;
  const price = priceOf(collateral);
  if (free === NO_ATOMS || needed === NO_ATOMS || price === NO_TICKS) return NO_ATOMS;
  const onePrice = bigintOf(price) * terms.tickLotAtoms * BigInt(collateral.terms.ratioPpm);
  const enough = divCeil(needed * terms.lotAtoms * 1_000_000n, onePrice);
  return enough < free ? atoms(enough) : free;
}
