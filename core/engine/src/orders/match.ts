/** Carries a match plan out: counts every trade, takes makers out of the book, emits the events. It decides nothing, and clearing pays. */
import { addAtoms, addLots, assert, NO_LOTS, subtractLots, unreachable, type Atoms, type Lots } from '@orrery/units';
import { recordTrade } from '@orrery/rules';
import { NO_SLOT } from '../book/book.ts';
import { cancelOpenOrder, closeOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { MatchPlan, PlanStep } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { partnerOf } from './pair.ts';
import { receive } from './count-purchase.ts';
import { isOfGroup } from './trigger-group.ts';

/** Matches an acting order with the book of its market. */
export function matchPlanned(scope: CommandScope, taker: OpenOrder, plan: MatchPlan): void {
  const { orders } = scope.trading;
  const { book } = taker.market;
  for (let index = 0; index < plan.count; index += 1) {
    const step = plan.step(index);
    const maker = orders.known(book.orderIdOf(step.maker));
    switch (step.kind) {
      case 'trade':
        trade(scope, taker, maker, step);
        break;
      case 'decrement':
        decrement(scope, taker, maker, step);
        break;
      case 'expireMaker':
        cancelOpenOrder(scope, maker, 'selfTrade');
        break;
      case 'expireReduceOnly':
        cancelOpenOrder(scope, maker, 'reduceOnly');
        break;
      case 'expireUnpaid':
        cancelOpenOrder(scope, maker, 'marginMissing');
        break;
      case 'expireDegraded':
        cancelOpenOrder(scope, maker, 'pricesDegraded');
        break;
      default:
        unreachable(step.kind);
    }
  }
}

function trade(scope: CommandScope, taker: OpenOrder, maker: OpenOrder, { price, size, notional }: PlanStep): void {
  const { trading, at, events } = scope;
  const { market } = taker;
  const { takerFee, makerFee } = market.clearing.clear({ taker, maker, price, size, notional, at }, events);
  count(taker, size, notional);
  count(maker, size, notional);
  if (trading.rules >= 8) for (const open of [taker, maker]) if (isOfGroup(open)) trading.traded.push(open);
  if (taker.order.spot !== undefined && taker.order.side === 'buy') receive(trading, taker, size, takerFee);
  if (maker.order.spot !== undefined) tradedWithTerms(scope, maker, size, makerFee);
  takeFromBook(maker, size);
  recordTrade(trading.rules, market, price, at);
  if (trading.rules === 1) market.triggers.reachAtOnce('last', price);
  else market.triggers.reach('last', price);
  events.push({
    type: 'Trade',
    tradeId: trading.orders.takeTradeId(),
    market: market.terms.market,
    price,
    size,
    notional,
    takerSide: taker.order.side,
    takerOrderId: taker.order.orderId,
    takerAccount: taker.order.account,
    takerFee,
    makerOrderId: maker.order.orderId,
    makerAccount: maker.order.account,
    makerFee,
    makerRemaining: maker.remaining,
  });
  if (maker.remaining > NO_LOTS) return;
  // An order that lost size to self-trade prevention before is over, but was not filled whole.
  const reason = maker.filled === maker.order.size ? 'filled' : 'selfTrade';
  closeOrder(scope, maker, { reason, rested: true, removed: NO_LOTS });
}

function tradedWithTerms({ trading }: CommandScope, maker: OpenOrder, size: Lots, fee: Atoms): void {
  if (partnerOf(trading, maker) !== undefined) trading.traded.push(maker);
  if (maker.order.side === 'buy') receive(trading, maker, size, fee);
}

function count(open: OpenOrder, size: Lots, notional: Atoms): void {
  open.filled = addLots(open.filled, size);
  open.filledNotional = addAtoms(open.filledNotional, notional);
  lose(open, size);
}

/** Orders by funds have no remaining size. */
function lose(open: OpenOrder, size: Lots): void {
  if (open.order.size > NO_LOTS) open.remaining = subtractLots(open.remaining, size);
}

function takeFromBook(maker: OpenOrder, size: Lots): void {
  const left = maker.market.book.reduce(maker.slot, size);
  assert(left === maker.remaining, 'the book and the order agree about what remains');
  if (left > NO_LOTS) return;
  maker.status = 'acting';
  maker.slot = NO_SLOT;
}

/** Both orders of one account lose the same size and nothing is traded. */
function decrement(scope: CommandScope, taker: OpenOrder, maker: OpenOrder, { size }: PlanStep): void {
  const { order } = maker;
  maker.market.clearing.release(maker, size);
  lose(taker, size);
  lose(maker, size);
  takeFromBook(maker, size);
  if (order.spot !== undefined && partnerOf(scope.trading, maker) !== undefined) scope.trading.traded.push(maker);
  if (maker.remaining === NO_LOTS) {
    closeOrder(scope, maker, { reason: 'selfTrade', rested: true, removed: size });
    return;
  }
  scope.events.push({
    type: 'OrderReduced',
    orderId: order.orderId,
    account: order.account,
    market: order.market,
    side: order.side,
    price: order.price,
    reducedBy: size,
    remaining: maker.remaining,
  });
}
