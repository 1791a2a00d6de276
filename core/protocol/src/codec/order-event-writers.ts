/**
 * The events of every order, each field written by its name instead of by the walk over the fields that the other records take.
 * They are most of what the exchange emits. Their bytes are those of `event-codec.ts`, by which they are read back.
 * The order of the lines is the order of the bytes; a field that was forgotten would not be read back.
 */
import type { OrderClosed, OrderRested, Trade } from '../events.ts';
import { closeReason, side } from './field.ts';
import type { Writer } from './writer.ts';

export function writeOrderRested(writer: Writer, event: OrderRested): void {
  writer.uint(event.orderId);
  writer.uint(event.account);
  writer.uint(event.market);
  side.write(writer, event.side);
  writer.uint(event.price);
  writer.uint(event.remaining);
  writer.uint(event.filled);
  writer.bigint(event.filledNotional);
}

export function writeTrade(writer: Writer, event: Trade): void {
  writer.uint(event.tradeId);
  writer.uint(event.market);
  writer.uint(event.price);
  writer.uint(event.size);
  writer.bigint(event.notional);
  side.write(writer, event.takerSide);
  writer.uint(event.takerOrderId);
  writer.uint(event.takerAccount);
  writer.bigint(event.takerFee);
  writer.uint(event.makerOrderId);
  writer.uint(event.makerAccount);
  writer.bigint(event.makerFee);
  writer.uint(event.makerRemaining);
}

export function writeOrderClosed(writer: Writer, event: OrderClosed): void {
  writer.uint(event.orderId);
  writer.uint(event.account);
  writer.uint(event.market);
  writer.text(event.clientOrderId);
  closeReason.write(writer, event.reason);
  side.write(writer, event.side);
  writer.uint(event.price);
  writer.uint(event.removed);
  writer.uint(event.filled);
  writer.bigint(event.filledNotional);
}
