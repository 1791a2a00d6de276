/**
 * How an account pays what it owes from a contract, so that a trade never fails for money. An isolated position pays from its margin, a cross one
 * from the free money of the wallet, then from its collateral; what is missing then the insurance fund pays, and what it has not, UNCOVERED.
 */
import { atoms, bigintOf, divCeil, minAtoms, NO_ATOMS, NO_TICKS, subtractAtoms, type Atoms } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Balance } from '../ledger/balance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { pay, payFromHeld } from '../ledger/movements.ts';
import { worthAt, type Collaterals, type ListedCollateral } from '../margin/collaterals.ts';
import type { Exposure, PositionRow } from '../positions/position-row.ts';

export interface PaymentState {
  readonly ledger: Ledger;
  readonly collaterals: Collaterals;
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
  if (free < amount && exposure.contract.terms.payoff === 'linear') {
    sellCollateral(state, exposure, subtractAtoms(amount, free), events);
    free = ledger.free(exposure.balance);
  }
  const part = minAtoms(free, amount);
  pay(ledger, exposure.balance, to, part);
  return part;
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

/** The insurance fund buys collateral at its index price × ratio, asset by asset, until `needed` settle atoms are there or nothing is left to sell. */
function sellCollateral(
  { ledger, collaterals }: PaymentState,
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
    const buyable = minAtoms(missing, ledger.free(fund));
    const amount = amountFor(ledger.free(own), buyable, collateral);
    if (amount === NO_ATOMS) continue;
    const proceeds = minAtoms(worthAt(amount, collateral), buyable);
    pay(ledger, own, ledger.system('INSURANCE', asset), amount);
    pay(ledger, fund, balance, proceeds);
    missing = subtractAtoms(missing, proceeds);
    events.push({ type: 'CollateralSold', account: holder.account, asset, amount, price: collateral.market.indexPrice, settle, proceeds });
  }
}

/** The least amount, at most `free`, that is worth `needed`; rounded up, so that the fund never pays more than it receives. */
function amountFor(free: Atoms, needed: Atoms, collateral: ListedCollateral): Atoms {
  const { indexPrice, terms } = collateral.market;
  if (free === NO_ATOMS || needed === NO_ATOMS || indexPrice === NO_TICKS) return NO_ATOMS;
  const onePrice = bigintOf(indexPrice) * terms.tickLotAtoms * BigInt(collateral.terms.ratioPpm);
  const enough = divCeil(needed * terms.lotAtoms * 1_000_000n, onePrice);
  return enough < free ? atoms(enough) : free;
}
