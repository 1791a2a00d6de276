/** The margin of an account over all its cross positions of one margin group, recomputed from its positions, its orders and its money. In settle atoms. */
import type { MarginGroup } from '@orrery/protocol';
import {
  addAtoms,
  atoms,
  divCeil,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  NO_TICKS,
  subtractAtoms,
  type AccountId,
  type Atoms,
  type Millis,
} from '@orrery/units';
import { contractNotional, initialMargin, maintenanceMargin, profitOf, type RulesVersion, type Solvency } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import { heldLots, isLong, type Exposure, type Holder, type PositionRow } from '../positions/position-row.ts';
import { unpaidFrom } from '../positions/unpaid-funding.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import type { Collaterals } from './collaterals.ts';
import { orderNeedOf } from './order-need.ts';

export interface MarginState {
  readonly ledger: Ledger;
  readonly collaterals: Collaterals;
  readonly rules: RulesVersion;
}

export interface CrossMargin {
  /** Free settle money and what the collateral counts for, for what opens and for what leaves. */
  readonly worth: Atoms;
  /** The same by the last prices of the collateral, however old. */
  readonly lastWorth: Atoms;
  /** Of the cross positions at mark. Signed. */
  readonly unrealised: Atoms;
  /** Of positions and orders. */
  readonly initial: Atoms;
  /** Of all cross positions at mark. */
  readonly notional: Atoms;
}

/** What a position is worth at mark; at its entry before the contract has a mark. */
export function markNotional(row: PositionRow): Atoms {
  const { contract } = row.exposure;
  const { mark } = contract.prices;
  return mark === NO_TICKS ? row.cost : contractNotional(mark, heldLots(row), contract.terms);
}

export function unrealisedOf(row: PositionRow): Atoms {
  return profitOf(isLong(row) ? 'long' : 'short', row.cost, markNotional(row), row.exposure.contract.terms.payoff);
}

export function crossMargin(state: MarginState, holder: Holder, group: MarginGroup, at: Millis): CrossMargin {
  let unrealised = NO_ATOMS;
  let initial = NO_ATOMS;
  let notional = NO_ATOMS;
  let worth: Atoms | undefined;
  let lastWorth = NO_ATOMS;
  for (const exposure of holder.exposures) {
    const { terms } = exposure.contract;
    if (exposure.contract.group !== group) continue;
    if (worth === undefined) {
      lastWorth = worthOf(state, exposure);
      worth = openingWorthOf(state, exposure, at);
    }
    if (exposure.mode === 'isolated') continue;
    for (const row of exposure.rows) {
      if (row === undefined || row.size === NO_POSITION) continue;
      const value = markNotional(row);
      notional = addAtoms(notional, value);
      unrealised = addAtoms(unrealised, profitOf(isLong(row) ? 'long' : 'short', row.cost, value, terms.payoff));
      initial = addAtoms(initial, neededFor(state, row, value, at));
    }
    initial = addAtoms(initial, orderNeedOf(exposure));
  }
  return { worth: worth ?? NO_ATOMS, lastWorth, unrealised, initial, notional };
}

/**
 * Initial margin of a position. While its contract is not open nobody knows what it is worth: it needs a fifth of its notional at least, so that what a move since the last
 * mark has taken is not used to open elsewhere. Since rules 7.
 */
function neededFor({ rules }: MarginState, { exposure, leverage }: PositionRow, value: Atoms, at: Millis): Atoms {
  const initial = initialMargin(value, leverage);
  if (rules < 7 || isOpenBy(rules, exposure.contract.prices, at)) return initial;
  const secure = fifthOf(value);
  return initial > secure ? initial : secure;
}

/** Equity and maintenance of the same positions. */
export function crossSolvency(state: MarginState, holder: Holder, group: MarginGroup): Solvency {
  let unrealised = NO_ATOMS;
  let maintenance = NO_ATOMS;
  let worth: Atoms | undefined;
  for (const exposure of holder.exposures) {
    const { terms } = exposure.contract;
    if (exposure.contract.group !== group) continue;
    worth ??= worthOf(state, exposure);
    if (exposure.mode === 'isolated') continue;
    for (const row of exposure.rows) {
      if (row === undefined || row.size === NO_POSITION) continue;
      const value = markNotional(row);
      unrealised = addAtoms(unrealised, profitOf(isLong(row) ? 'long' : 'short', row.cost, value, terms.payoff));
      maintenance = addAtoms(maintenance, maintenanceMargin(value, terms.tiers));
    }
  }
  return { equity: addAtoms(worth ?? NO_ATOMS, unrealised), maintenance };
}

/** The same where an old price of a collateral counts for less. */
function openingWorthOf({ ledger, collaterals }: MarginState, { balance, holder, contract }: Exposure, at: Millis): Atoms {
  const free = addAtoms(ledger.free(balance), unpaidFrom(holder, balance));
  return contract.group === 'linear' ? addAtoms(free, collaterals.openingWorthOf(ledger, holder.account, at)) : free;
}

/** Free settle money with the funding that is still to be paid, and under linear contracts that are not for practice the collateral. */
export function worthOf({ ledger, collaterals }: MarginState, { balance, holder, contract }: Exposure): Atoms {
  const free = addAtoms(ledger.free(balance), unpaidFrom(holder, balance));
  return contract.group === 'linear' ? addAtoms(free, collaterals.worthOf(ledger, holder.account)) : free;
}

/** By the last prices. */
export const equityOf = ({ lastWorth, unrealised }: CrossMargin): Atoms => addAtoms(lastWorth, unrealised);

/** What may still be opened with; below zero when the account has too little. */
export const availableOf = (margin: CrossMargin): Atoms => subtractAtoms(addAtoms(margin.worth, margin.unrealised), margin.initial);

/**
 * P4: how much of the worth of an account may leave it: an unrealised loss counts, an unrealised profit does not, and what stays is at least the
 * initial margin and a fifth of the notional. From 0.
 */
export function transferableOf(margin: CrossMargin): Atoms {
  const left = secureBeyondMargin(margin);
  return left > NO_ATOMS ? left : NO_ATOMS;
}

/** Whether an account has what it must keep when money leaves it or its leverage changes. */
export const isSecure = (margin: CrossMargin): boolean => secureBeyondMargin(margin) >= NO_ATOMS;

/** What is beyond that; below zero when there is too little. */
export function secureBeyondMargin({ worth, unrealised, initial, notional }: CrossMargin): Atoms {
  const secure = unrealised < NO_ATOMS ? addAtoms(worth, unrealised) : worth;
  const fifth = fifthOf(notional);
  return subtractAtoms(secure, initial > fifth ? initial : fifth);
}

const fifthOf = (notional: Atoms): Atoms => atoms(divCeil(notional, 5n));

/** Whether any position or order is at risk with the money of the wallet. */
export function hasCross(holder: Holder | undefined, group: MarginGroup): boolean {
  if (holder === undefined) return false;
  return holder.exposures.some(({ contract, mode, rows }) => contract.group === group && mode === 'cross' && rows.some(isUsed));
}

const isUsed = (row: PositionRow | undefined): boolean =>
  row !== undefined && (row.size !== NO_POSITION || row.buys.size > NO_LOTS || row.sells.size > NO_LOTS);

/** Of an account; nothing when it has never touched a contract. */
export function crossMarginOf(
  state: MarginState & { readonly positions: { known(account: AccountId): Holder | undefined } },
  account: AccountId,
  group: MarginGroup,
  at: Millis,
): CrossMargin | undefined {
  const holder = state.positions.known(account);
  return holder !== undefined && hasCross(holder, group) ? crossMargin(state, holder, group, at) : undefined;
}
