/** What a liquidation is about: all cross positions of an account of a margin group, or one isolated position; and whether they are safe. */
import { MARGIN_GROUPS, type MarginGroup } from '@orrery/protocol';
import { addAtoms, NO_ATOMS, NO_POSITION, subtractAtoms, type AccountId, type Atoms, type Millis } from '@orrery/units';
import { maintenanceMargin, type Holding, type Solvency } from '@orrery/rules';
import { crossSolvency, markNotional, unrealisedOf, type MarginState } from '../margin/cross-margin.ts';
import { heldLots, isLong, type Holder, type PositionRow } from '../positions/position-row.ts';
import { unpaidFrom } from '../positions/unpaid-funding.ts';
import { mayLiquidateBy } from '../prices/contract-prices.ts';

/** Positions that stand and fall together, largest maintenance first; at least one. */
export interface Cluster {
  readonly account: AccountId;
  readonly group: MarginGroup;
  readonly isIsolated: boolean;
  readonly rows: readonly PositionRow[];
}

/** The clusters of an account that hold a position, cross before isolated, by margin group. */
export function clustersOf(holder: Holder): readonly Cluster[] {
  const { account } = holder;
  const clusters: Cluster[] = [];
  for (const group of MARGIN_GROUPS) {
    const cross: PositionRow[] = [];
    const isolated: PositionRow[] = [];
    for (const { contract, mode, rows } of holder.exposures) {
      if (contract.group !== group) continue;
      for (const row of rows) if (row !== undefined && row.size !== NO_POSITION) (mode === 'cross' ? cross : isolated).push(row);
    }
    if (cross.length > 0) clusters.push({ account, group, isIsolated: false, rows: byMaintenance(cross) });
    for (const row of isolated) clusters.push({ account, group, isIsolated: true, rows: [row] });
  }
  return clusters;
}

/** The same whenever it is computed: a cross cluster is its account's of a margin group, an isolated one that of its position. */
export function clusterKey({ account, group, isIsolated, rows }: Cluster): string {
  const [first] = rows;
  return isIsolated && first !== undefined
    ? `${account} ${first.exposure.contract.terms.market} ${first.positionSide}`
    : `${account} ${group}`;
}

/**
 * Funding that is unpaid does not count: the bounds of prices would not find whom it brings below its maintenance, so an engine that ran on and one that was
 * restored would find others. It is paid before a step of a liquidation, and whom it brings below in the sweep the next round looks at.
 */
export function solvencyOf(state: MarginState, { isIsolated, rows, group }: Cluster): Solvency {
  const [first] = rows;
  if (first === undefined) return NOTHING_HELD;
  if (isIsolated) return { equity: addAtoms(first.margin, unrealisedOf(first)), maintenance: maintenanceOf(first) };
  const { holder, balance } = first.exposure;
  const { equity, maintenance } = crossSolvency(state, holder, group);
  return { equity: subtractAtoms(equity, unpaidFrom(holder, balance)), maintenance };
}

const NOTHING_HELD: Solvency = { equity: NO_ATOMS, maintenance: NO_ATOMS };

export const maintenanceOf = (row: PositionRow): Atoms => maintenanceMargin(markNotional(row), row.exposure.contract.terms.tiers);

export const holdingOf = (row: PositionRow): Holding => ({
  direction: isLong(row) ? 'long' : 'short',
  size: heldLots(row),
  cost: row.cost,
});

/** X1, X4: the prices of all its contracts allow a liquidation. */
export const hasValidPrices = ({ rows }: Cluster, at: Millis): boolean =>
  rows.every(({ exposure }) => mayLiquidateBy(exposure.contract.prices, at));

function byMaintenance(rows: readonly PositionRow[]): readonly PositionRow[] {
  if (rows.length < 2) return rows;
  const withNeed = rows.map((row) => ({ row, need: maintenanceOf(row) }));
  return withNeed.toSorted((left, right) => (left.need === right.need ? 0 : left.need > right.need ? -1 : 1)).map(({ row }) => row);
}
