/** Changes what a waiting order of a contract waits for, or acts with: it keeps its id, and stands behind others that wait for the same price. */
import { NO_LOTS, NO_TICKS, type Millis } from '@orrery/units';
import type { AmendTrigger, BookTerms, CommandRejected, Event, Order } from '@orrery/protocol';
import { hasLimit, reject } from '@orrery/rules';
import { isTrailing } from '../triggers/triggers.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { ownOrder } from './cancel-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseTrigger } from './present-prices.ts';
import { closableSize } from './reducing.ts';
import { refuseState, refuseTrader } from './refuse-order.ts';
import type { Trading } from './trading.ts';

/** The same command again changes nothing more. */
export function amendTrigger(trading: Trading, command: AmendTrigger, at: Millis): Event[] {
  if (!trading.accounts.has(command.account)) return [reject('UnknownAccount', 'account')];
  const open = ownOrder(trading.orders, command.account, command.orderId);
  if (open === undefined) return [reject('UnknownOrder', 'orderId')];
  const order = amended(open.order, command);
  const refusal = refuseAmendment(trading, { command, open, order, at });
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const scope: CommandScope = { trading, at, events: [] };
  change(scope, open, order);
  return scope.events;
}

const amended = (order: Order, { triggerPrice, price, size }: AmendTrigger): Order => ({
  ...order,
  triggerPrice: triggerPrice === NO_TICKS ? order.triggerPrice : triggerPrice,
  price: price === NO_TICKS ? order.price : price,
  size: size === NO_LOTS ? order.size : size,
});

interface Amendment {
  readonly command: AmendTrigger;
  readonly open: OpenOrder;
  /** As it would be. */
  readonly order: Order;
  readonly at: Millis;
}

/** In order of precedence. */
function refuseAmendment(trading: Trading, { command, open, order, at }: Amendment): CommandRejected | undefined {
  const { market } = open;
  if (order.contract === undefined || open.status !== 'armed') {
    return refuseTrader(trading, command.account) ?? refuseState(market) ?? reject('OrderNotAmendable', 'orderId');
  }
  const malformed =
    refuseCombination(command, open.order) ??
    checkBounds(order, market.terms) ??
    refuseTrigger(market, { ...order, contract: order.contract });
  if (malformed !== undefined) return malformed;
  const refusal = refuseTrader(trading, command.account) ?? refuseState(market);
  if (refusal !== undefined) return refusal;
  if (!onlyReduces(order)) return market.clearing.refuse({ order, payer: open.payer, leaving: open, at }, undefined);
  const closable = closableSize(trading, { payer: open.payer, side: order.side });
  return order.size > closable ? reject('ReduceOnlyRefused', 'size') : undefined;
}

function refuseCombination(command: AmendTrigger, order: Order): CommandRejected | undefined {
  if (command.triggerPrice !== NO_TICKS && isTrailing(order)) return reject('InvalidCombination', 'triggerPrice');
  return command.size !== NO_LOTS && order.contract?.closePosition === true ? reject('InvalidCombination', 'size') : undefined;
}

function checkBounds(order: Order, terms: BookTerms): CommandRejected | undefined {
  const priceNeeded = hasLimit(order) || order.price !== NO_TICKS;
  if (priceNeeded && (order.price < terms.minPrice || order.price > terms.maxPrice)) return reject('InvalidPrice', 'price');
  const sizeNeeded = order.size !== NO_LOTS;
  return sizeNeeded && (order.size < terms.minSize || order.size > terms.maxSize) ? reject('InvalidSize', 'size') : undefined;
}

function change({ events }: CommandScope, open: OpenOrder, order: Order): void {
  const { market } = open;
  const moves = order.triggerPrice !== open.order.triggerPrice;
  if (moves) market.triggers.remove(open.order, open.slot);
  market.clearing.release(open, open.remaining);
  open.order = order;
  open.remaining = order.size;
  market.clearing.reserve(open);
  if (moves) open.slot = market.triggers.add(order, NO_TICKS);
  const { orderId, account, triggerPrice, price, size } = order;
  events.push({ type: 'TriggerAmended', orderId, account, market: order.market, triggerPrice, price, size });
}
