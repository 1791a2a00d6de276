/** What an order has bought that protects its purchase: counted with each fill, and looked at when the command is over (`purchases.ts`). */
import { addAtoms, subtractAtoms, type Atoms, type Lots } from '@orrery/units';
import type { CloseReason } from '@orrery/protocol';
import { baseAmount, protectsPurchase } from '@orrery/rules';
import type { OpenOrder } from './open-order.ts';
import type { Trading } from './trading.ts';

/** Counts what a fill has brought. */
export function receive({ purchases, bought, markets }: Trading, { order }: OpenOrder, size: Lots, fee: Atoms): void {
  const market = markets.get(order.market);
  if (!protectsPurchase(order) || market === undefined) return;
  const amount = subtractAtoms(baseAmount(size, market.terms), fee);
  const known = purchases.get(order.orderId);
  if (known === undefined) purchases.set(order.orderId, { parent: order, received: amount, protection: 0, isGivenUp: false });
  else known.received = addAtoms(known.received, amount);
  bought.add(order.orderId);
}

/** An order with terms has ended: a purchase that is over is looked at once more, and one whose protection its owner has cancelled has none from now on. */
export function followParent({ purchases, bought }: Trading, { order }: OpenOrder, reason: CloseReason): void {
  if (purchases.has(order.orderId)) bought.add(order.orderId);
  const parent = order.spot?.parent ?? 0;
  const purchase = parent === 0 || reason !== 'canceledByAccount' ? undefined : purchases.get(parent);
  if (purchase !== undefined) purchase.isGivenUp = true;
}
