/**
 * Orders that a change of a position leaves without money or without a position to reduce are closed within the same command, the newest first. A
 * reduce-only order that waits for its trigger is looked at when it triggers.
 */
import type { CloseReason } from '@orrery/protocol';
import { onlyReduces } from '../clearing/reduces.ts';
import { reserveOrders } from '../clearing/perpetual.ts';
import { NO_ATOMS, NO_LOTS } from '@orrery/units';
import { orderNeedOf } from '../margin/order-need.ts';
import { heldLots, isLong, reducingLots, type Exposure, type PositionRow } from '../positions/position-row.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { shrinkResting, waitsOn } from './stall.ts';

/** Each closes at least one order or ends, so this is bounded by the open orders of the accounts that traded. */
export function recheckOrders(scope: CommandScope): void {
  const { positions } = scope.trading;
  for (let exposure = positions.takeRecheck(); exposure !== undefined; exposure = positions.takeRecheck()) {
    closeBrokenReductions(scope, exposure);
    closeUnpaid(scope, exposure);
  }
}

function closeBrokenReductions(scope: CommandScope, exposure: Exposure): void {
  for (const row of exposure.rows) {
    // Most fills break nothing, and to look at all orders of an account takes longer than a fill.
    if (row === undefined || (!reducesTooMuch(row) && row.reducing[isLong(row) ? 'buy' : 'sell'] === NO_LOTS)) continue;
    if (scope.trading.rules >= 8) {
      shrinkReductions(scope, row);
      continue;
    }
    const isBroken = ({ payer, order, remaining }: OpenOrder): boolean =>
      payer === row.payer && remaining > 0 && onlyReduces(order) && (isLong(row) !== (order.side === 'sell') || reducesTooMuch(row));
    closeNewest(scope, exposure, isBroken, 'reduceOnly');
  }
}

/**
 * Those on the wrong side close. Of the others the newest that were placed by themselves close, as many as are too much. Each that protects the position stands by itself, as it did
 * while it waited: it loses what is more than the position, and none closes because another rests beside it.
 */
function shrinkReductions(scope: CommandScope, row: PositionRow): void {
  const { trading } = scope;
  const held = heldLots(row);
  const isAgainst = ({ order }: OpenOrder): boolean => held > NO_LOTS && isLong(row) === (order.side === 'sell');
  const chosen = trading.orders.ofAccounts
    .of(row.exposure.holder.account)
    .filter(({ payer, order, status }) => payer === row.payer && onlyReduces(order) && (status === 'resting' || status === 'matching'))
    .sort((left, right) => Number(waitsOn(trading, left)) - Number(waitsOn(trading, right)) || right.order.orderId - left.order.orderId);
  for (const open of chosen) {
    if (!isAgainst(open)) {
      cancelOpenOrder(scope, open, 'reduceOnly');
      continue;
    }
    if (!waitsOn(trading, open)) {
      if (reducesTooMuch(row)) cancelOpenOrder(scope, open, 'reduceOnly');
      // One that is unfinished is cut when it goes on.
    } else if (open.status === 'resting' && open.remaining > held) shrinkResting(scope, open, held);
  }
}

const reducesTooMuch = (row: PositionRow): boolean => reducingLots(row) > heldLots(row);

function closeUnpaid(scope: CommandScope, exposure: Exposure): void {
  if (exposure.mode === 'cross') return;
  const { trading } = scope;
  reserveOrders(trading, exposure);
  const isUnpaid = ({ order }: OpenOrder): boolean =>
    !onlyReduces(order) && orderNeedOf(exposure) > exposure.reserved && orderNeedOf(exposure) > NO_ATOMS;
  closeNewest(scope, exposure, isUnpaid, 'marginMissing');
}

/** Asks again before each: closing one may be enough, and none has to close because another did. */
function closeNewest(
  scope: CommandScope,
  { holder, contract }: Exposure,
  mustClose: (open: OpenOrder) => boolean,
  reason: CloseReason,
): void {
  const resting = scope.trading.orders.ofAccounts
    .of(holder.account)
    .filter((open) => open.market.contract === contract && (open.status === 'resting' || open.status === 'matching') && mustClose(open));
  for (const open of resting.sort((left, right) => right.order.orderId - left.order.orderId))
    if (mustClose(open)) cancelOpenOrder(scope, open, reason);
}
