/** An order in bytes, each field by its own name: most of what events and snapshots hold is orders. The order of the lines is the order of the bytes. */
import type { Order, OrderTerms } from '../order.ts';
import {
  account,
  amount,
  market,
  order,
  orderType,
  price,
  rate,
  selfTradePrevention,
  side,
  size,
  text,
  time,
  timeInForce,
} from './field.ts';
import type { Field } from './field.ts';
import type { Writer } from './writer.ts';

export function writeOrderTerms(writer: Writer, terms: OrderTerms): void {
  writer.uint(terms.account);
  writer.uint(terms.market);
  writer.text(terms.clientOrderId);
  side.write(writer, terms.side);
  orderType.write(writer, terms.orderType);
  timeInForce.write(writer, terms.timeInForce);
  writer.uint(terms.price);
  writer.uint(terms.size);
  writer.bigint(terms.funds);
  writer.uint(terms.triggerPrice);
  writer.uint(terms.slippagePpm);
  selfTradePrevention.write(writer, terms.selfTradePrevention);
}

export const orderField: Field<Order> = {
  write: (writer, value) => {
    writer.uint(value.orderId);
    writeOrderTerms(writer, value);
    writer.uint(value.createdAt);
  },
  read: (reader) => ({
    orderId: order.read(reader),
    account: account.read(reader),
    market: market.read(reader),
    clientOrderId: text.read(reader),
    side: side.read(reader),
    orderType: orderType.read(reader),
    timeInForce: timeInForce.read(reader),
    price: price.read(reader),
    size: size.read(reader),
    funds: amount.read(reader),
    triggerPrice: price.read(reader),
    slippagePpm: rate.read(reader),
    selfTradePrevention: selfTradePrevention.read(reader),
    createdAt: time.read(reader),
  }),
};
