/** An account that is being liquidated opens nothing: what waits or rests ends when the liquidation takes a step, in every contract whose positions share its money. */
import type { AccountId, MarketId } from '@orrery/units';
import { onlyReduces } from '../clearing/reduces.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import { closeOrdersOf } from '../orders/cancel-all-orders.ts';
import { waitsOn } from '../orders/stall.ts';
import { endTwap } from '../timers/twap-slices.ts';
import type { LiquidationScope } from './liquidation-scope.ts';
import type { Cluster } from '../risk/solvency.ts';

export function endActivity(scope: LiquidationScope, cluster: Cluster): void {
  const { state } = scope;
  const held = new Set(cluster.rows.map(({ exposure }) => exposure.contract.terms.market));
  const ends = (market: MarketId): boolean =>
    cluster.isIsolated || state.rules < 7 ? held.has(market) : state.contracts.get(market)?.contract.group === cluster.group;
  // What is left of the position keeps what waits to close it, or has waited and rests: it opens nothing, and stands on the side on which the liquidation takes. Before rules 8 it ended too.
  const isKept = (open: OpenOrder): boolean =>
    state.rules >= 8 && onlyReduces(open.order) && (open.status === 'armed' || (open.status === 'resting' && waitsOn(state, open)));
  closeOrdersOf(scope, cluster.account, (open) => ends(open.order.market) && !isKept(open), 'liquidation');
  if (state.rules >= 7) endTwaps(scope, cluster.account, ends);
}

function endTwaps(scope: LiquidationScope, account: AccountId, ends: (market: MarketId) => boolean): void {
  const { timers } = scope.state;
  for (const twap of timers.twaps.of(account)) if (ends(twap.terms.market)) endTwap(scope, scope.state, twap, 'liquidation');
}
