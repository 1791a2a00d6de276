import { atoms, NO_TICKS } from '@orrery/units';
import type { MarginState } from '../margin/cross-margin.ts';
import type { Positions } from '../positions/positions.ts';
import type { Liquidations } from './liquidations.ts';
import { clustersOf, solvencyOf } from './solvency.ts';

interface Watched extends MarginState {
  readonly positions: Positions;
  readonly liquidations: Liquidations;
}

/**
 * When an engine starts, before its first command: sets the bounds of whatever is safe by the prices in the state, and leaves the rest to the next round. An
 * engine that ran on has other bounds, and decides the same.
 */
export function watchEverybody(state: Watched): void {
  const { watch } = state.liquidations;
  for (const holder of state.positions.holders()) {
    for (const cluster of clustersOf(holder)) {
      const isPriced = cluster.rows.every(({ exposure }) => exposure.contract.prices.mark > NO_TICKS);
      const { equity, maintenance } = solvencyOf(state, cluster);
      if (isPriced && equity >= maintenance) watch.setBounds(cluster, atoms(equity - maintenance), state);
      else watch.mustLookAt(holder.account);
    }
  }
}
