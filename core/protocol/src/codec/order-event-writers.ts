/**
 * The events of every order, each field written by its name instead of by the walk over the fields that the other records take.
 * They are most of what the exchange tells. Their bytes are those of `event-codec.ts`, by which they are read back.
 * The order of the lines is the order of the bytes; `Written` keeps a field from being forgotten.
 */
import type { BalanceChanged, OrderAccepted, OrderClosed, OrderRested, Trade } from '../events.ts';
import {
  account,
  amount,
  asset,
  closeReason,
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
  trade,
  wallet,
} from './field.ts';
import type { Written } from './record.ts';
import type { Writer } from './writer.ts';

export function writeOrderAccepted(writer: Writer, event: OrderAccepted): Written<OrderAccepted> {
  return {
    orderId: order.write(writer, event.orderId),
    account: account.write(writer, event.account),
    market: market.write(writer, event.market),
    clientOrderId: text.write(writer, event.clientOrderId),
    side: side.write(writer, event.side),
    orderType: orderType.write(writer, event.orderType),
    timeInForce: timeInForce.write(writer, event.timeInForce),
    price: price.write(writer, event.price),
    size: size.write(writer, event.size),
    funds: amount.write(writer, event.funds),
    triggerPrice: price.write(writer, event.triggerPrice),
    slippagePpm: rate.write(writer, event.slippagePpm),
    selfTradePrevention: selfTradePrevention.write(writer, event.selfTradePrevention),
    createdAt: time.write(writer, event.createdAt),
  };
}

export function writeOrderRested(writer: Writer, event: OrderRested): Written<OrderRested> {
  return {
    orderId: order.write(writer, event.orderId),
    account: account.write(writer, event.account),
    market: market.write(writer, event.market),
    side: side.write(writer, event.side),
    price: price.write(writer, event.price),
    remaining: size.write(writer, event.remaining),
    filled: size.write(writer, event.filled),
    filledNotional: amount.write(writer, event.filledNotional),
  };
}

export function writeTrade(writer: Writer, event: Trade): Written<Trade> {
  return {
    tradeId: trade.write(writer, event.tradeId),
    market: market.write(writer, event.market),
    price: price.write(writer, event.price),
    size: size.write(writer, event.size),
    notional: amount.write(writer, event.notional),
    takerSide: side.write(writer, event.takerSide),
    takerOrderId: order.write(writer, event.takerOrderId),
    takerAccount: account.write(writer, event.takerAccount),
    takerFee: amount.write(writer, event.takerFee),
    makerOrderId: order.write(writer, event.makerOrderId),
    makerAccount: account.write(writer, event.makerAccount),
    makerFee: amount.write(writer, event.makerFee),
    makerRemaining: size.write(writer, event.makerRemaining),
  };
}

export function writeOrderClosed(writer: Writer, event: OrderClosed): Written<OrderClosed> {
  return {
    orderId: order.write(writer, event.orderId),
    account: account.write(writer, event.account),
    market: market.write(writer, event.market),
    clientOrderId: text.write(writer, event.clientOrderId),
    reason: closeReason.write(writer, event.reason),
    side: side.write(writer, event.side),
    price: price.write(writer, event.price),
    removed: size.write(writer, event.removed),
    filled: size.write(writer, event.filled),
    filledNotional: amount.write(writer, event.filledNotional),
  };
}

export function writeBalanceChanged(writer: Writer, event: BalanceChanged): Written<BalanceChanged> {
  return {
    account: account.write(writer, event.account),
    wallet: wallet.write(writer, event.wallet),
    asset: asset.write(writer, event.asset),
    free: amount.write(writer, event.free),
    held: amount.write(writer, event.held),
  };
}
