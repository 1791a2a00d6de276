/** Changes what a waiting order of a contract waits for, or acts with: it keeps its id, and stands behind others that wait for the same price. */
import { addLots, assert, type Millis, minLots, NO_LOTS, NO_TICKS, subtractLots } from '@orrery/units';
import type { AmendTrigger, BookTerms, CommandRejected, ContractOrderTerms, Event, Order } from '@orrery/protocol';
import { checkAttachedTriggers, checkContractBounds, hasLimit, isReached, reject } from '@orrery/rules';
import { isTrailing } from '../triggers/triggers.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { ownOrder } from './cancel-order.ts';
import { clippedToPosition } from './clip-reduction.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import { refuseOpening } from '../risk/under-liquidation.ts';
import { presentPrices, refuseTrigger } from './present-prices.ts';
import { referenceOf } from './reference.ts';
import { reducesTooMuch, refusePrices } from './refuse-contract-order.ts';
import { closableSize } from './reducing.ts';
import { refuseState, refuseTrader } from './refuse-order.ts';
import type { Trading } from './trading.ts';

/** The same command again changes nothing more. */
export function amendTrigger(trading: Trading, command: AmendTrigger, at: Millis): Event[] {
  if (!trading.accounts.has(command.account)) return [reject('UnknownAccount', 'account')];
  const open = ownOrder(trading.orders, command.account, command.orderId);
  if (open === undefined) return [reject('UnknownOrder', 'orderId')];
  const order = clipped(trading, open, amended(open.order, command));
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

/** Of one that has stalled in part, what is left is cut to what there is to reduce. */
function clipped(trading: Trading, { filled, payer }: OpenOrder, order: Order): Order {
  if (filled === NO_LOTS || order.size <= filled) return clippedToPosition(trading, order);
  const closable = closableSize(trading, { payer, side: order.side });
  return { ...order, size: addLots(filled, minLots(subtractLots(order.size, filled), closable)) };
}

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
  const listed = trading.contracts.get(order.market);
  assert(listed !== undefined, 'an order of a contract is of one that is listed');
  const { contract } = order;
  const waiting: Waiting = { ...order, contract, size: contract.closePosition ? NO_LOTS : order.size, createdAt: at };
  const isLeft = isLeftStalled(command, open);
  const malformed =
    refuseCombination(command, open.order) ??
    (trading.rules < 8 ? checkBounds(order, market.terms) : refuseTerms(trading, waiting, listed, isLeft)) ??
    (isLeft ? undefined : refuseTrigger(market, waiting));
  if (malformed !== undefined) return malformed;
  const refusal = refuseTrader(trading, command.account) ?? refuseState(market) ?? refuseNow(trading, waiting, listed);
  if (refusal !== undefined) return refusal;
  if (!onlyReduces(order)) return market.clearing.refuse({ order, payer: open.payer, leaving: open, at }, undefined);
  const closable = closableSize(trading, { payer: open.payer, side: order.side });
  if (command.size !== NO_LOTS && order.size <= open.filled) return reject('InvalidSize', 'size');
  if (order.contract.closePosition) return undefined;
  const left = subtractLots(order.size, open.filled);
  return left > closable ? reducesTooMuch(listed, { asked: left, limit: closable }) : undefined;
}

type Waiting = Order & { readonly contract: ContractOrderTerms };

/**
 * As when it is placed. A plan order stays on its side of the present price: on the other one it would be another kind of order, a stop instead of a
 * take-profit, and act at once.
 */
function refuseTerms(trading: Trading, order: Waiting, listed: ListedContract, isReachedAlready: boolean): CommandRejected | undefined {
  const { contract, triggerPrice } = order;
  const present = presentPrices(listed);
  const price = present[contract.triggerBy];
  const malformed =
    checkContractBounds(order, listed.terms, referenceOf(trading, listed, order.createdAt)) ??
    checkAttachedTriggers({ ...order, takeProfit: contract.takeProfit, stopLoss: contract.stopLoss }, listed.terms, present);
  if (malformed !== undefined || isReachedAlready) return malformed;
  const isBeyond = price !== NO_TICKS && isReached(contract.triggerDirection, triggerPrice, price);
  return isBeyond ? reject('InvalidTrigger', 'triggerPrice') : undefined;
}

/** Before rules 8 what waits was looked at again when it triggered, and not before. */
function refuseNow(trading: Trading, order: Waiting, listed: ListedContract): CommandRejected | undefined {
  if (trading.rules < 8) return undefined;
  return refusePrices(trading, order, listed) ?? refuseOpening(trading, order, listed.contract);
}

/** Its price is reached already, and it waits on with another size or limit. */
const isLeftStalled = ({ triggerPrice }: AmendTrigger, { order, market }: OpenOrder): boolean =>
  market.triggers.stalled.has(order.orderId) && (triggerPrice === NO_TICKS || triggerPrice === order.triggerPrice);

function refuseCombination(command: AmendTrigger, order: Order): CommandRejected | undefined {
  if (command.triggerPrice !== NO_TICKS && isTrailing(order)) return reject('InvalidCombination', 'triggerPrice');
  return command.size !== NO_LOTS && order.contract?.closePosition === true ? reject('InvalidCombination', 'size') : undefined;
}

/** Before rules 8. */
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
  open.remaining = order.contract?.closePosition === true ? open.remaining : subtractLots(order.size, open.filled);
  market.clearing.reserve(open);
  if (moves) open.slot = market.triggers.add(order, NO_TICKS);
  const { orderId, account, triggerPrice, price, size } = order;
  events.push({ type: 'TriggerAmended', orderId, account, market: order.market, triggerPrice, price, size });
}
