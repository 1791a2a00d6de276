/** Since rules 8 an order that only reduces is cut to what there is to reduce: its position may have shrunk while it was on its way. */
import { lots, NO_LOTS, type Lots } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { isStop } from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import { heldLots, isLong, reducingLots } from '../positions/position-row.ts';
import type { OpenOrder } from './open-order.ts';
import { knownPosition } from './reducing.ts';
import type { Trading } from './trading.ts';

/** @param leaving the order that changes; undefined for one that is placed. @returns the order itself where nothing is cut, and where there is nothing to reduce */
export function clippedToPosition<Kind extends Order>(trading: Trading, order: Kind, leaving?: OpenOrder): Kind {
  if (trading.rules < 8 || order.size === NO_LOTS || !onlyReduces(order)) return order;
  const most = reducibleSize(trading, order, leaving);
  return most === NO_LOTS || most >= order.size ? order : { ...order, size: most };
}

/** Of the position what other resting orders leave, for an order that may rest itself. What waits, or takes at once, takes nothing from those. */
function reducibleSize(trading: Trading, order: Order, leaving: OpenOrder | undefined): Lots {
  const row = knownPosition(trading, { ...order, positionSide: order.contract?.positionSide ?? 'both' });
  if (row === undefined || isLong(row) !== (order.side === 'sell')) return NO_LOTS;
  const held = heldLots(row);
  if (isStop(order) || (order.timeInForce !== 'GTC' && order.timeInForce !== 'GTX')) return held;
  const others = reducingLots(row) - (leaving?.status === 'resting' ? leaving.remaining : NO_LOTS);
  return others < held ? lots(held - others) : NO_LOTS;
}
