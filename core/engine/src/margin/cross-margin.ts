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
} from '@orrery/units';
import { contractNotional, initialMargin, maintenanceMargin, profitOf, type Solvency } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import { heldLots, isLong, type Exposure, type Holder, type PositionRow } from '../positions/position-row.ts';
import { unpaidFrom } from '../positions/unpaid-funding.ts';
import type { Collaterals } from './collaterals.ts';
import { orderNeedOf } from './order-need.ts';

export interface MarginState {
  readonly ledger: Ledger;
  readonly collaterals: Collaterals;
}

export interface CrossMargin {
  /** Free settle money and what the collateral counts for. */
  readonly worth: Atoms;
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

export function crossMargin(state: MarginState, holder: Holder, group: MarginGroup): CrossMargin {
  let unrealised = NO_ATOMS;
  let initial = NO_ATOMS;
  let notional = NO_ATOMS;
  let worth: Atoms | undefined;
  for (const exposure of holder.exposures) {
    const { terms } = exposure.contract;
    if (exposure.contract.group !== group) continue;
    worth ??= worthOf(state, exposure);
    if (exposure.mode === 'isolated') continue;
    for (const row of exposure.rows) {
      if (row === undefined || row.size === NO_POSITION) continue;
      const value = markNotional(row);
      notional = addAtoms(notional, value);
      unrealised = addAtoms(unrealised, profitOf(isLong(row) ? 'long' : 'short', row.cost, value, terms.payoff));
      initial = addAtoms(initial, initialMargin(value, row.leverage));
    }
    initial = addAtoms(initial, orderNeedOf(exposure));
  }
  return { worth: worth ?? NO_ATOMS, unrealised, initial, notional };
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

/** Free settle money with the funding that is still to be paid, and under linear contracts that are not for practice the collateral. */
function worthOf({ ledger, collaterals }: MarginState, { balance, holder, contract }: Exposure): Atoms {
  const free = addAtoms(ledger.free(balance), unpaidFrom(holder, balance));
  return contract.group === 'linear' ? addAtoms(free, collaterals.worthOf(ledger, holder.account)) : free;
}

export const equityOf = ({ worth, unrealised }: CrossMargin): Atoms => addAtoms(worth, unrealised);

/** What may still be opened with; below zero when the account has too little. */
export const availableOf = (margin: CrossMargin): Atoms => subtractAtoms(equityOf(margin), margin.initial);

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

function secureBeyondMargin({ worth, unrealised, initial, notional }: CrossMargin): Atoms {
  const secure = unrealised < NO_ATOMS ? addAtoms(worth, unrealised) : worth;
  const fifth = atoms(divCeil(notional, 5n));
  return subtractAtoms(secure, initial > fifth ? initial : fifth);
}

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
): CrossMargin | undefined {
  const holder = state.positions.known(account);
  return holder !== undefined && hasCross(holder, group) ? crossMargin(state, holder, group) : undefined;
}
