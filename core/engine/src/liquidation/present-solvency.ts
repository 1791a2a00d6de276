/**
 * How safe a cluster is when not all of its contracts have a price, and what of it can be closed now. A price that is missing counts as the best for the account
 * that it may have become: an account is liquidated only where it is below its maintenance even so. Since rules 7; before, one missing price stopped everything.
 */
import { atoms, NO_ATOMS, NO_TICKS, subtractAtoms, type Atoms, type Millis } from '@orrery/units';
import { contractNotional, favourableMark, maintenanceMargin, profitOf, type Solvency } from '@orrery/rules';
import { listedMarket } from '../instruments/listings.ts';
import { unrealisedOf } from '../margin/cross-margin.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { areReliable, mayLiquidateBy } from '../prices/contract-prices.ts';
import type { LiquidationState } from './liquidation-scope.ts';
import { hasValidPrices, maintenanceOf, solvencyOf, type Cluster } from '../risk/solvency.ts';

export function presentSolvency(state: LiquidationState, cluster: Cluster, at: Millis): Solvency {
  let { equity, maintenance } = solvencyOf(state, cluster);
  if (state.rules < 7) return { equity, maintenance };
  for (const row of cluster.rows) {
    const { prices, terms } = row.exposure.contract;
    // What has never had a price counts at its cost.
    if (prices.mark === NO_TICKS || mayLiquidateBy(prices, at)) continue;
    const direction = isLong(row) ? 'long' : 'short';
    const best = contractNotional(favourableMark(prices.mark, direction, at - prices.freshAt), heldLots(row), terms);
    equity = atoms(equity + profitOf(direction, row.cost, best, terms.payoff) - unrealisedOf(row));
    maintenance = atoms(maintenance + maintenanceMargin(best, terms.tiers) - maintenanceOf(row));
  }
  return { equity, maintenance };
}

/**
 * The positions that can be closed now: by a valid price, and where their owner could close them too. While the price of another one is fresh again but for some
 * rounds, they wait for it, so that what is missing is divided over all of them. Before rules 7 all of them or none.
 */
export function closableRows(state: LiquidationState, cluster: Cluster, at: Millis): readonly PositionRow[] {
  if (state.rules < 7) return hasValidPrices(cluster, at) ? cluster.rows : [];
  if (cluster.rows.some(({ exposure: { contract } }) => areReliable(contract.prices, at) && !mayLiquidateBy(contract.prices, at)))
    return [];
  return cluster.rows.filter(({ exposure: { contract } }) => {
    return mayLiquidateBy(contract.prices, at) && listedMarket(state, contract.terms.market).state === 'TRADING';
  });
}

/**
 * What an account lacks to close these positions at mark, from 0: its money, its collateral, and what its other positions of the cluster have gained pay first.
 * What those have lost is not asked for yet.
 */
export function missingFor(state: LiquidationState, cluster: Cluster, rows: readonly PositionRow[]): Atoms {
  let { equity } = solvencyOf(state, cluster);
  for (const row of cluster.rows) {
    const profit = unrealisedOf(row);
    if (profit < NO_ATOMS && !rows.includes(row)) equity = subtractAtoms(equity, profit);
  }
  return equity < NO_ATOMS ? subtractAtoms(NO_ATOMS, equity) : NO_ATOMS;
}
