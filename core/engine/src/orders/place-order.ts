/** Places an order: refused for a named reason, or opened, matched, settled and rested. */
import { assert, type Millis, type OrderId } from '@orrery/units';
import { DEFAULT_SLIPPAGE_PPM, hasLimit } from '@orrery/rules';
import type { Order, OrderAccepted, OrderRepeated, OrderTerms, PlaceOrder, PlaceSpotOrder, SpotOrderTerms } from '@orrery/protocol';
import type { Trading } from './trading.ts';
import { arm } from './arm.ts';
import { execute } from './execute.ts';
import { judge, judgeMost, type AcceptedEntry } from './judge.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { refuseOrder } from './refuse-order.ts';
import { refuseIntent, withinTerms } from './sizing.ts';
import { refuseSpotTerms, spotOrderTerms } from './spot-terms.ts';
import type { CommandScope } from './command-scope.ts';

export const placeOrder = (trading: Trading, command: PlaceOrder, at: Millis): OrderOutcome =>
  enterOrder(trading, acceptable(command, { orderId: trading.orders.nextId(), createdAt: at }, undefined), command.sizing);

export function placeSpotOrder(trading: Trading, command: PlaceSpotOrder, at: Millis): OrderOutcome {
  const refusal = refuseSpotTerms(trading, command);
  if (refusal !== undefined) return unchanged(refusal);
  const spot = spotOrderTerms(command, command.spot, trading.markets.get(command.market));
  return enterOrder(trading, acceptable(command, { orderId: trading.orders.nextId(), createdAt: at }, spot), command.sizing);
}

/** @param asked with the id that is next */
export function enterOrder(trading: Trading, asked: OrderAccepted, sizing?: PlaceOrder['sizing']): OrderOutcome {
  const { createdAt: at } = asked;
  const before = trading.orders.named.placedBefore(asked, trading.rules);
  if (before !== undefined) return unchanged(repeatOf(before));
  const market = trading.markets.get(asked.market);
  const isMost = sizing === 'most';
  const order = isMost && market !== undefined ? withinTerms(trading, asked, market) : asked;
  const refusal = (isMost ? refuseIntent(trading) : undefined) ?? refuseOrder(trading, order, market, undefined);
  if (refusal !== undefined) return unchanged(refusal);
  assert(market !== undefined, 'an order of no market is refused');
  const arriving: AcceptedEntry = { order, market, payer: market.clearing.payerOf(order), leaving: undefined, at };
  const { entry, plan, objection } = isMost ? judgeMost(trading, arriving) : judge(trading, arriving);
  if (objection !== undefined) return unchanged(objection);
  // After this point nothing fails.
  const open = trading.orders.open(entry, 0, asked);
  const scope: CommandScope = { trading, at, events: [entry.order] };
  if (plan === undefined) arm(scope, open);
  else execute(scope, open, plan);
  return { events: scope.events, market };
}

interface Acceptance {
  readonly orderId: OrderId;
  readonly createdAt: Millis;
}

/** The order as it will be accepted if nothing speaks against it. */
export function acceptable(terms: OrderTerms, { orderId, createdAt }: Acceptance, spot: SpotOrderTerms | undefined): OrderAccepted {
  const takesDefault = terms.slippagePpm === 0 && !hasLimit(terms);
  return {
    type: 'OrderAccepted',
    orderId,
    account: terms.account,
    market: terms.market,
    clientOrderId: terms.clientOrderId,
    side: terms.side,
    orderType: terms.orderType,
    timeInForce: terms.timeInForce,
    price: terms.price,
    size: terms.size,
    funds: terms.funds,
    triggerPrice: terms.triggerPrice,
    slippagePpm: takesDefault ? DEFAULT_SLIPPAGE_PPM : terms.slippagePpm,
    selfTradePrevention: terms.selfTradePrevention,
    createdAt,
    contract: undefined,
    spot,
  };
}

/** The same command again is answered with what it did the first time. */
export const repeatOf = ({ orderId, account, clientOrderId }: Order): OrderRepeated => ({
  type: 'OrderRepeated',
  orderId,
  account,
  clientOrderId,
});
