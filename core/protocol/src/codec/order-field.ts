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
  account.write(writer, terms.account);
  market.write(writer, terms.market);
  text.write(writer, terms.clientOrderId);
  side.write(writer, terms.side);
  orderType.write(writer, terms.orderType);
  timeInForce.write(writer, terms.timeInForce);
  price.write(writer, terms.price);
  size.write(writer, terms.size);
  amount.write(writer, terms.funds);
  price.write(writer, terms.triggerPrice);
  rate.write(writer, terms.slippagePpm);
  selfTradePrevention.write(writer, terms.selfTradePrevention);
}

export const orderField: Field<Order> = {
  write: (writer, value) => {
    order.write(writer, value.orderId);
    writeOrderTerms(writer, value);
    time.write(writer, value.createdAt);
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
