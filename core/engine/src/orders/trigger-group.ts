/**
 * Orders of one group are a take-profit and a stop-loss of one size. Before rules 8 one that acts cancels the others. Since then what one has traded the others lose:
 * they end with the last lot, and stand for what is left until then. Those of a whole position have its size, however much one of them has traded: they end with it.
 */
import { NO_LOTS } from '@orrery/units';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { partnerOf } from './pair.ts';
import { closableSize } from './reducing.ts';
import { cutTo, shrinkResting } from './stall.ts';

/** Before rules 8. */
export function cancelRestOfGroup(scope: CommandScope, acting: OpenOrder): void {
  for (const open of restOfGroup(scope, acting)) cancelOpenOrder(scope, open, 'groupTriggered');
}

/** Goes through the orders of groups that have traded since the last call. */
export function settleGroups(scope: CommandScope): void {
  const { traded } = scope.trading;
  if (traded.length === 0) return;
  for (const one of traded.splice(0)) for (const other of restOfGroup(scope, one)) follow(scope, other, one);
}

function follow(scope: CommandScope, other: OpenOrder, { remaining: left }: OpenOrder): void {
  const { order, payer } = other;
  if (order.contract?.closePosition === true && closableSize(scope.trading, { payer, side: order.side }) > NO_LOTS) return;
  if (left === NO_LOTS) cancelOpenOrder(scope, other, 'groupTriggered');
  else if (other.remaining <= left) return;
  else if (other.status === 'resting') shrinkResting(scope, other, left);
  else if (other.status === 'armed') cutTo(scope, other, left);
}

/** Whether it is of a group whose orders follow each other. */
export const isOfGroup = ({ order: { contract } }: OpenOrder): boolean =>
  contract !== undefined && contract.group !== 0 && contract.source !== 'twap';

function restOfGroup({ trading }: CommandScope, acting: OpenOrder): readonly OpenOrder[] {
  const partner = partnerOf(trading, acting);
  if (partner !== undefined) return [partner];
  if (!isOfGroup(acting)) return [];
  const { account, market, contract } = acting.order;
  return trading.orders.ofAccounts
    .of(account)
    .filter((open) => open !== acting && open.order.market === market && open.order.contract?.group === contract?.group)
    .sort((left, right) => left.order.orderId - right.order.orderId);
}
