/** Orders of one group: one that acts cancels the others. */
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';

export function cancelRestOfGroup(scope: CommandScope, acting: OpenOrder): void {
  const { account, market, contract } = acting.order;
  if (contract === undefined || contract.group === 0 || contract.source === 'twap') return;
  const others = scope.trading.orders.ofAccounts
    .of(account)
    .filter((open) => open !== acting && open.order.market === market && open.order.contract?.group === contract.group);
  for (const open of others.sort((left, right) => left.order.orderId - right.order.orderId)) cancelOpenOrder(scope, open, 'groupTriggered');
}
