/** Who stands against a position: all open positions of the other side of its contract, in their order, and what each of them can pay of a deficit. */
import { addAtoms, atoms, NO_ATOMS, NO_POSITION, type Atoms } from '@orrery/units';
import { POSITION_SIDES } from '@orrery/protocol';
import { rankForAdl, type AdlCandidate, type AdlRanked } from '@orrery/rules';
import { crossSolvency, unrealisedOf, type MarginState } from '../margin/cross-margin.ts';
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
export function rankedCounterparts(state: LiquidationState, bankrupt: PositionRow): readonly AdlRanked<Counterpart>[] {
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
    row.exposure.mode === 'isolated' ? { equity: addAtoms(row.margin, unrealized), gains: unrealized } : crossOf(state, row);
  const gain = unrealized > NO_ATOMS ? unrealized : NO_ATOMS;
  const capacity = equity <= NO_ATOMS ? NO_ATOMS : equity >= gains ? gain : atoms((gain * equity) / gains);
  return { row, size: heldLots(row), unrealized, cost, leverage: row.leverage, equity, capacity };
}

/** What a cross account is worth, and what its positions that gain have gained. */
function crossOf(state: MarginState, { exposure: { holder, contract } }: PositionRow): { readonly equity: Atoms; readonly gains: Atoms } {
  let gains = NO_ATOMS;
  for (const { mode, contract: other, rows } of holder.exposures) {
    if (mode === 'isolated' || other.group !== contract.group) continue;
    for (const row of rows) {
      const profit = row === undefined || row.size === NO_POSITION ? NO_ATOMS : unrealisedOf(row);
      if (profit > NO_ATOMS) gains = addAtoms(gains, profit);
    }
  }
  return { equity: crossSolvency(state, holder, contract.group).equity, gains };
}

export const inOrder = (left: Counterpart, right: Counterpart): number =>
  left.row.exposure.holder.account - right.row.exposure.holder.account ||
  POSITION_SIDES.indexOf(left.row.positionSide) - POSITION_SIDES.indexOf(right.row.positionSide);
