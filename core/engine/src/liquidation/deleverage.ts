/**
 * Deleveraging: a bankrupt position that neither the liquidator nor the insurance fund can carry is closed against positions of the other side, at the
 * price at which its account has lost exactly what it had. Accounts without a position in the contract are never touched. This is how it was before rules 7;
 * since then `close-at-mark.ts` and `share-deficit.ts`.
 */
import { assert, atoms, minLots, NO_POSITION, NO_TICKS, ticks, type Ticks } from '@orrery/units';
import { POSITION_SIDES } from '@orrery/protocol';
import { bankruptcyPrice, rankForAdl, spreadAdl, type AdlCandidate } from '@orrery/rules';
import { unrealisedOf } from '../margin/cross-margin.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import type { LiquidationCase, LiquidationScope } from './liquidation-scope.ts';
import { movePosition } from './move-position.ts';
import { fundsBefore, reportStep } from './report.ts';
import { holdingOf, solvencyOf } from '../risk/solvency.ts';
import { NO_ATOMS } from '@orrery/units';

interface Counterpart extends AdlCandidate {
  readonly row: PositionRow;
}

/** Closes every position of a bankrupt cluster; the first bears what is missing, the others close at mark. */
export function deleverage(scope: LiquidationScope, one: LiquidationCase): void {
  if (scope.state.rules >= 6) netOwnSides(scope, one);
  for (const row of inOrderOfLoss(scope, one)) {
    // Under rules 5 the other side of the account can be what an earlier one was closed against.
    if (row.size === NO_POSITION) continue;
    const before = fundsBefore(scope, row);
    deleverageRow(scope, one, row, priceOf(scope, one, row));
    reportStep(scope, one, row, before, { stage: 'adl', fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS });
  }
}

/**
 * The greatest loss first: those on its other side have gained what is missing. What the account has gained itself those have lost who would have to
 * bear it then. Under rules 5 the largest maintenance came first.
 */
function inOrderOfLoss({ state }: LiquidationScope, { cluster }: LiquidationCase): readonly PositionRow[] {
  if (state.rules < 6) return cluster.rows;
  const withProfit = cluster.rows.map((row) => ({ row, profit: unrealisedOf(row) }));
  return withProfit
    .toSorted((left, right) => (left.profit === right.profit ? 0 : left.profit < right.profit ? -1 : 1))
    .map(({ row }) => row);
}

/** Both sides of a contract in hedge mode close against each other at mark: what others bear is of what is left. */
function netOwnSides(scope: LiquidationScope, { cluster }: LiquidationCase): void {
  for (const long of cluster.rows.filter(isLong)) {
    const short = cluster.rows.find((row) => row.exposure === long.exposure && row.size < 0);
    if (short === undefined) continue;
    const { mark } = long.exposure.contract.prices;
    movePosition(scope, long, short, { size: minLots(heldLots(long), heldLots(short)), price: mark, cause: 'adl' });
  }
}

function deleverageRow(scope: LiquidationScope, { liquidation }: LiquidationCase, row: PositionRow, price: Ticks): void {
  const { market } = row.exposure.contract.terms;
  const size = heldLots(row);
  const { byScore } = rankForAdl(counterparts(scope, row), inOrder);
  const parts = spreadAdl(byScore, size);
  assert(parts.reduce((sum, { closed }) => sum + closed, 0) === size, 'P7: exactly the bankrupt quantity is closed');
  for (const { candidate, closed, rank } of parts) {
    const other = candidate.row;
    const start = scope.events.length;
    movePosition(scope, row, other, { size: closed, price, cause: 'adl' });
    const reduced = scope.events.slice(start).findLast((event) => event.type === 'PositionReduced');
    assert(reduced !== undefined, 'the other side was reduced');
    const { account } = other.exposure.holder;
    const facts = { account, market, positionSide: other.positionSide, size: closed, price, rank, profit: reduced.profit };
    scope.events.push({ type: 'PositionDeleveraged', liquidationId: liquidation.liquidationId, ...facts });
  }
}

/** The price at which closing the position leaves its cluster nothing; at least one tick. */
function priceOf({ state }: LiquidationScope, { cluster }: LiquidationCase, row: PositionRow): Ticks {
  const { equity } = solvencyOf(state, cluster);
  const price = bankruptcyPrice(holdingOf(row), atoms(equity - unrealisedOf(row)), row.exposure.contract.terms);
  return price === NO_TICKS ? ticks(1) : price;
}

/** All positions of the other side of the contract. */
function counterparts({ state }: LiquidationScope, bankrupt: PositionRow): readonly Counterpart[] {
  const found: Counterpart[] = [];
  const { contract } = bankrupt.exposure;
  for (const row of state.positions) {
    if (row.exposure.contract !== contract || row.size === 0 || isLong(row) === isLong(bankrupt)) continue;
    const cost = row.cost > NO_ATOMS ? row.cost : atoms(1n);
    found.push({ row, size: heldLots(row), unrealized: unrealisedOf(row), cost, leverage: row.leverage });
  }
  return found;
}

const inOrder = (left: Counterpart, right: Counterpart): number =>
  left.row.exposure.holder.account - right.row.exposure.holder.account ||
  POSITION_SIDES.indexOf(left.row.positionSide) - POSITION_SIDES.indexOf(right.row.positionSide);
