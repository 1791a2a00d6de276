/** Waiting reduce-only orders end with the position that they would reduce. */
import type { PositionRow } from '../positions/position-row.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { closableSize } from './reducing.ts';

/** Closes those that the position as it is now leaves nothing to reduce, oldest first. */
export function endProtection(scope: CommandScope, position: PositionRow): void {
  const { trading } = scope;
  const idle = trading.orders.ofAccounts
    .of(position.exposure.holder.account)
    .filter((open) => waitsToReduce(open, position) && closableSize(trading, { payer: open.payer, side: open.order.side }) === 0);
  for (const open of idle.sort((left, right) => left.order.orderId - right.order.orderId)) cancelOpenOrder(scope, open, 'positionClosed');
}

/** Whether it is armed to reduce this position. */
export function waitsToReduce({ status, order, payer }: OpenOrder, position: PositionRow): boolean {
  return status === 'armed' && payer === position.payer && onlyReduces(order);
}
