/** What came of a command: a reject becomes a refusal in the words of the public contract. */
import { ApiError } from '@orrery/api';
import type { Event, OrderAccepted, OrderRepeated, Receipt } from '@orrery/protocol';
import type { OrderId, Seq } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { figuresText } from './figures.ts';

/** The fields of commands by the names callers know them by. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  market: 'symbol',
  side: 'direction',
  orderType: 'tradeType',
  size: 'totalAmount',
  triggerPrice: 'stopPrice',
  slippagePpm: 'slippage',
  trailingPpm: 'callbackRate',
  takeProfit: 'triggerProfitPrice',
  stopLoss: 'triggerStopPrice',
  source: 'tradeType',
  asset: 'coin',
};

/**
 * Gives the receipt of a command back when it took effect; throws an `ApiError` when it was refused. A field of a leg is named with it: `above.price`.
 * @param names of the command's fields, where callers know them by others
 */
export function tookEffect(floor: Floor, receipt: Receipt, names = FIELD_NAMES): Receipt {
  const [first] = receipt.events;
  if (first?.type === 'CommandRejected') {
    const { reason, field, figures } = first;
    // Of a leg that callers know by flat names the whole has one.
    const parts = field.split('.').map((part) => names[part] ?? part);
    const named = names[field] ?? parts.join('.');
    throw new ApiError(reason, {
      field: named,
      ...(figures !== undefined && { figures: figuresText(floor, figures) }),
    });
  }
  return receipt;
}

/** Whether a command has placed this order, or had before: what protects what an order has bought or opened begins with orders of its own, which nobody has placed. */
export const isPlaced = (event: Event): event is OrderAccepted | OrderRepeated =>
  event.type === 'OrderRepeated' || (event.type === 'OrderAccepted' && ((event.contract ?? event.spot)?.parent ?? 0) === 0);

/** Of an amendment that took effect: the order that has its terms now, or ended by it. Before rules 8 that was another one than it named. */
export function amendedOrder({ seq, events }: Receipt, named: OrderId): { readonly seq: Seq; readonly data: string } {
  for (const event of events) if (isPlaced(event)) return { seq, data: String(event.orderId) };
  return { seq, data: String(named) };
}
