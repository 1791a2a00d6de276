/** Which lines the account's orders are on the chart: a resting order at its price, a stop at the price that triggers it. Pure. */
import type { Order } from '@orrery/api';
import type { OrderLine } from '../../market/chart/chart-port.ts';
import { isAmendable, remainingOf } from '../shared/tables/amendment.ts';

export interface LineWords {
  readonly buy: string;
  readonly sell: string;
  /** Before the words of a stop. */
  readonly stop: string;
  /** A size as it is shown: dots while amounts are hidden. */
  readonly size: (size: string) => string;
}

/** An order without a price of its own has no line. */
export function orderLines(orders: readonly Order[], symbol: string, words: LineWords): readonly OrderLine[] {
  return orders.flatMap((order) => {
    const price = linePrice(order);
    if (order.symbol !== symbol || price === null) return [];
    const side = order.orderSide === 'BUY' ? 'buy' : 'sell';
    const size = order.origQty === null ? '' : ` ${words.size(remainingOf(order))}`;
    const label = `${order.state === 5 ? `${words.stop} ` : ''}${words[side]}${size}`;
    return [{ orderId: order.orderId, side, price: Number(price), label, isMovable: isAmendable(order) }];
  });
}

/** Decimal text: the trigger of a stop that waits, else the limit. */
export const linePrice = (order: Pick<Order, 'state' | 'price' | 'stopPrice'>): string | null =>
  order.state === 5 ? order.stopPrice : order.price;
