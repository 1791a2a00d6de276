/** An order in bytes. Field order is the format: change it only with a new version. */
import type { Order } from '../order.ts';
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
import type { Fields } from './record.ts';

export const orderFields = {
  orderId: order,
  account,
  market,
  clientOrderId: text,
  side,
  orderType,
  timeInForce,
  price,
  size,
  funds: amount,
  triggerPrice: price,
  slippagePpm: rate,
  selfTradePrevention,
  createdAt: time,
} satisfies Fields<Order>;

/** The same bytes as by walking the fields, each reached by its own name: most of what events and snapshots hold is orders. */
export const orderField: Field<Order> = {
  write: (writer, value) => {
    order.write(writer, value.orderId);
    account.write(writer, value.account);
    market.write(writer, value.market);
    text.write(writer, value.clientOrderId);
    side.write(writer, value.side);
    orderType.write(writer, value.orderType);
    timeInForce.write(writer, value.timeInForce);
    price.write(writer, value.price);
    size.write(writer, value.size);
    amount.write(writer, value.funds);
    price.write(writer, value.triggerPrice);
    rate.write(writer, value.slippagePpm);
    selfTradePrevention.write(writer, value.selfTradePrevention);
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
