/**
 * The commands of every order, each made in one piece instead of by the walk over the fields that the other records take.
 * They are most of what the journal holds, and the engine reads their fields many times. `writeOrderTerms` writes an order,
 * the field lists of `command-codec.ts` the others. The order of the lines is the order of the bytes.
 */
import type { AmendOrder, CancelOrder, PlaceOrder } from '../commands.ts';
import type { PlaceContractOrder } from '../contract-commands.ts';
import type { PlaceSpotOrder } from '../spot-commands.ts';
import { attachedTrigger, contractTerms } from './contract-order-fields.ts';
import {
  account,
  amount,
  market,
  optionalOrder,
  order,
  orderType,
  price,
  rate,
  selfTradePrevention,
  side,
  size,
  text,
  timeInForce,
} from './field.ts';
import type { Reader } from './reader.ts';
import { spotTerms } from './spot-order-fields.ts';

export function readPlaceOrder(reader: Reader): PlaceOrder {
  return {
    type: 'PlaceOrder',
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
  };
}

export const readPlaceSpotOrder = (reader: Reader): PlaceSpotOrder => ({
  ...readPlaceOrder(reader),
  type: 'PlaceSpotOrder',
  spot: spotTerms.read(reader),
});

export function readPlaceContractOrder(reader: Reader): PlaceContractOrder {
  return {
    type: 'PlaceContractOrder',
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
    contract: contractTerms.read(reader),
    takeProfit: attachedTrigger.read(reader),
    stopLoss: attachedTrigger.read(reader),
  };
}

export function readCancelOrder(reader: Reader): CancelOrder {
  return {
    type: 'CancelOrder',
    account: account.read(reader),
    orderId: optionalOrder.read(reader),
    clientOrderId: text.read(reader),
  };
}

export function readAmendOrder(reader: Reader): AmendOrder {
  return {
    type: 'AmendOrder',
    account: account.read(reader),
    orderId: order.read(reader),
    clientOrderId: text.read(reader),
    price: price.read(reader),
    size: size.read(reader),
  };
}
