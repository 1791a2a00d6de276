/** An order in bytes, each field by its own name: most of what events and snapshots hold is orders. The order of the lines is the order of the bytes. */
import { assert } from '@orrery/units';
import type { ContractOrderTerms } from '../contract.ts';
import type { Order, OrderTerms } from '../order.ts';
import type { SpotOrderTerms } from '../spot-terms.ts';
import { contractOrderTerms } from './contract-order-fields.ts';
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
import type { Reader } from './reader.ts';
import { spotOrderTerms } from './spot-order-fields.ts';
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

/** An order of a spot market that has no more than `OrderTerms`. */
export const orderField: Field<Order> = {
  write: (writer, value) => {
    writer.uint(value.orderId);
    writeOrderTerms(writer, value);
    writer.uint(value.createdAt);
  },
  read: (reader) => readOrder(reader, NOTHING, NOTHING),
};

/** An order of a contract. */
export const contractOrderField: Field<Order> = {
  write: (writer, value) => {
    assert(value.contract !== undefined, 'an order of a contract has its terms');
    orderField.write(writer, value);
    contractOrderTerms.write(writer, value.contract);
  },
  read: (reader) => readOrder(reader, contractOrderTerms, NOTHING),
};

/** An order that has more than `OrderTerms`: one of a spot market begins with the id 0, which no order has. */
export const furtherOrderField: Field<Order> = {
  write: (writer, value) => {
    if (value.spot === undefined) {
      contractOrderField.write(writer, value);
      return;
    }
    writer.byte(0);
    orderField.write(writer, value);
    spotOrderTerms.write(writer, value.spot);
  },
  read: (reader) => {
    if (reader.peek() !== 0) return contractOrderField.read(reader);
    reader.byte();
    return readOrder(reader, NOTHING, spotOrderTerms);
  },
};

/** An order of any kind, in the bytes of `orderField` where it has no more: every other begins with the id 0. */
export const anyOrderField: Field<Order> = {
  write: (writer, value) => {
    if (value.contract === undefined && value.spot === undefined) {
      orderField.write(writer, value);
      return;
    }
    writer.byte(0);
    furtherOrderField.write(writer, value);
  },
  read: (reader) => {
    if (reader.peek() !== 0) return orderField.read(reader);
    reader.byte();
    return furtherOrderField.read(reader);
  },
};

interface TermsReader<Terms> {
  read(reader: Reader): Terms | undefined;
}

const NOTHING: TermsReader<never> = { read: () => undefined };

function readOrder(reader: Reader, contract: TermsReader<ContractOrderTerms>, spot: TermsReader<SpotOrderTerms>): Order {
  return {
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
    contract: contract.read(reader),
    spot: spot.read(reader),
  };
}
