/** Who stands against a position: all open positions of the other side of its contract, in their order, and what each of them can pay of a deficit. */
import { addAtoms, atoms, NO_ATOMS, NO_POSITION, type Atoms } from '@orrery/units';
import { POSITION_SIDES } from '@orrery/protocol';
import { rankForAdl, type AdlCandidate, type AdlRanking } from '@orrery/rules';
import { unrealisedOf, worthOf, type MarginState } from '../margin/cross-margin.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import type { LiquidationState } from './liquidation-scope.ts';

export interface Counterpart extends AdlCandidate {
  readonly row: PositionRow;
  /** Of its account under cross, of the position when it is isolated. Signed. */
  readonly equity: Atoms;
  /** What it can pay: its gain, as far as its account has not lost it elsewhere. From 0. */
  readonly capacity: Atoms;
}

/** By profit ratio and leverage, the greatest first. The other side of the same account has been closed against it before. */
export function rankedCounterparts(state: LiquidationState, bankrupt: PositionRow): AdlRanking<Counterpart> {
  const found: Counterpart[] = [];
  for (const row of state.positions.rowsOf(bankrupt.exposure.contract)) {
    if (row.size === NO_POSITION || isLong(row) === isLong(bankrupt)) continue;
    if (row.exposure === bankrupt.exposure && row.exposure.mode === 'cross') continue;
    found.push(counterpartOf(state, row));
  }
  return rankForAdl(found, inOrder);
}

function counterpartOf(state: MarginState, row: PositionRow): Counterpart {
  const unrealized = unrealisedOf(row);
  const cost = row.cost > NO_ATOMS ? row.cost : atoms(1n);
  const { equity, gains } =
    row.exposure.mode === 'isolated' ? { equity: addAtoms(row.margin, unrealized), gains: unrealized } : crossOf(state, row, unrealized);
  const gain = unrealized > NO_ATOMS ? unrealized : NO_ATOMS;
  const capacity = equity <= NO_ATOMS ? NO_ATOMS : equity >= gains ? gain : atoms((gain * equity) / gains);
  return { row, size: heldLots(row), unrealized, cost, leverage: row.leverage, equity, capacity };
}

/** What a cross account is worth, and what its positions that gain have gained. @param own what this one has gained */
function crossOf(state: MarginState, row: PositionRow, own: Atoms): { readonly equity: Atoms; readonly gains: Atoms } {
  const { holder, contract } = row.exposure;
  let equity: Atoms | undefined;
  let gains = NO_ATOMS;
  for (const exposure of holder.exposures) {
    if (exposure.contract.group !== contract.group) continue;
    equity ??= worthOf(state, exposure);
    if (exposure.mode === 'isolated') continue;
    for (const other of exposure.rows) {
      if (other === undefined || other.size === NO_POSITION) continue;
      const profit = other === row ? own : unrealisedOf(other);
      equity = addAtoms(equity, profit);
      if (profit > NO_ATOMS) gains = addAtoms(gains, profit);
    }
  }
  return { equity: equity ?? NO_ATOMS, gains };
}

export const inOrder = (left: Counterpart, right: Counterpart): number =>
  left.row.exposure.holder.account - right.row.exposure.holder.account ||
  POSITION_SIDES.indexOf(left.row.positionSide) - POSITION_SIDES.indexOf(right.row.positionSide);
