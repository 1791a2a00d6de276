/**
 * The events of every order, each field written by its name instead of by the walk over the fields that the other records take.
 * They are most of what the exchange tells. Their bytes are those of `event-codec.ts`, by which they are read back.
 * The order of the lines is the order of the bytes; a field that was forgotten would not be read back.
 */
import type { OrderClosed, OrderRested, Trade } from '../events.ts';
import { account, amount, closeReason, market, order, price, side, size, text, trade } from './field.ts';
import type { Writer } from './writer.ts';

export function writeOrderRested(writer: Writer, event: OrderRested): void {
  order.write(writer, event.orderId);
  account.write(writer, event.account);
  market.write(writer, event.market);
  side.write(writer, event.side);
  price.write(writer, event.price);
  size.write(writer, event.remaining);
  size.write(writer, event.filled);
  amount.write(writer, event.filledNotional);
}

export function writeTrade(writer: Writer, event: Trade): void {
  trade.write(writer, event.tradeId);
  market.write(writer, event.market);
  price.write(writer, event.price);
  size.write(writer, event.size);
  amount.write(writer, event.notional);
  side.write(writer, event.takerSide);
  order.write(writer, event.takerOrderId);
  account.write(writer, event.takerAccount);
  amount.write(writer, event.takerFee);
  order.write(writer, event.makerOrderId);
  account.write(writer, event.makerAccount);
  amount.write(writer, event.makerFee);
  size.write(writer, event.makerRemaining);
}

export function writeOrderClosed(writer: Writer, event: OrderClosed): void {
  order.write(writer, event.orderId);
  account.write(writer, event.account);
  market.write(writer, event.market);
  text.write(writer, event.clientOrderId);
  closeReason.write(writer, event.reason);
  side.write(writer, event.side);
  price.write(writer, event.price);
  size.write(writer, event.removed);
  size.write(writer, event.filled);
  amount.write(writer, event.filledNotional);
}
