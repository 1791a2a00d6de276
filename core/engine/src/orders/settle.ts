/** Carries a match plan out: moves the money of every trade, takes makers out of the book, tells the facts. It decides nothing. */
import {
  addAtoms,
  addLots,
  assert,
  negateAtoms,
  NO_LOTS,
  subtractAtoms,
  subtractLots,
  unreachable,
  type Atoms,
  type Lots,
} from '@orrery/units';
import { baseAmount, feeOn, holdOf, recordTrade } from '@orrery/rules';
import { NO_SLOT } from '../book/book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { release } from '../ledger/movements.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import { cancelOpenOrder, closeOrder } from './close-order.ts';
import type { MatchPlan, PlanStep } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import type { Turn } from './turn.ts';

/** An acting order that meets the book of its market. */
export interface Taking extends Turn {
  readonly market: ListedMarket;
  readonly taker: OpenOrder;
}

export function settle(taking: Taking, plan: MatchPlan): void {
  const { exchange, market } = taking;
  for (let index = 0; index < plan.count; index += 1) {
    const step = plan.step(index);
    const maker = exchange.orders.known(market.book.orderIdOf(step.maker));
    switch (step.kind) {
      case 'trade':
        trade(taking, maker, step);
        break;
      case 'decrement':
        decrement(taking, maker, step);
        break;
      case 'expireMaker':
        cancelOpenOrder(taking, maker, 'selfTrade');
        break;
      default:
        unreachable(step.kind);
    }
  }
}

function trade(taking: Taking, maker: OpenOrder, step: PlanStep): void {
  const { exchange, market, taker, at, events } = taking;
  const { terms } = market;
  const { price, size, notional } = step;
  const base = baseAmount(size, terms);
  const takerBuys = taker.order.side === 'buy';
  const takerFee = feeOn(takerBuys ? base : notional, terms.takerFeePpm);
  const makerFee = feeOn(takerBuys ? notional : base, terms.makerFeePpm);
  if (takerBuys) payBoth(exchange.ledger, market, { buyer: taker, buyerFee: takerFee, seller: maker, sellerFee: makerFee, base, notional });
  else payBoth(exchange.ledger, market, { buyer: maker, buyerFee: makerFee, seller: taker, sellerFee: takerFee, base, notional });
  fill(taker, size, notional);
  fill(maker, size, notional);
  takeFromBook(market, maker, size);
  recordTrade(exchange.rules, market, price, at);
  market.stops.tradedAt(price);
  events.push({
    type: 'Trade',
    tradeId: exchange.orders.takeTradeId(),
    market: terms.market,
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
  closeOrder(taking, maker, { reason, rested: true, removed: NO_LOTS });
}

interface Exchanged {
  readonly buyer: OpenOrder;
  readonly buyerFee: Atoms;
  readonly seller: OpenOrder;
  readonly sellerFee: Atoms;
  readonly base: Atoms;
  readonly notional: Atoms;
}

/** The buyer pays quote and gets base less its fee, the seller the other way round; the fees go to FEE. */
function payBoth(ledger: Ledger, { terms }: ListedMarket, { buyer, buyerFee, seller, sellerFee, base, notional }: Exchanged): void {
  const buyerAccount = buyer.order.account;
  const sellerAccount = seller.order.account;
  spend(ledger, buyer, notional);
  ledger.postFree(ledger.of(buyerAccount, 'spot', terms.base), subtractAtoms(base, buyerFee));
  ledger.postFree(ledger.fees(terms.base), buyerFee);
  spend(ledger, seller, base);
  ledger.postFree(ledger.of(sellerAccount, 'spot', terms.quote), subtractAtoms(notional, sellerFee));
  ledger.postFree(ledger.fees(terms.quote), sellerFee);
}

/** A resting order pays from its hold, the acting one from what is free. A maker trades at its own price, so its hold is exactly the price paid. */
function spend(ledger: Ledger, open: OpenOrder, amount: Atoms): void {
  if (open.status === 'resting') ledger.postHeld(open.spends, negateAtoms(amount));
  else ledger.postFree(open.spends, negateAtoms(amount));
}

function fill(open: OpenOrder, size: Lots, notional: Atoms): void {
  open.filled = addLots(open.filled, size);
  open.filledNotional = addAtoms(open.filledNotional, notional);
  lose(open, size);
}

/** Orders by funds have no remaining size. */
function lose(open: OpenOrder, size: Lots): void {
  if (open.order.size > NO_LOTS) open.remaining = subtractLots(open.remaining, size);
}

function takeFromBook(market: ListedMarket, maker: OpenOrder, size: Lots): void {
  const left = market.book.reduce(maker.slot, size);
  assert(left === maker.remaining, 'the book and the order agree about what remains');
  if (left > NO_LOTS) return;
  maker.status = 'acting';
  maker.slot = NO_SLOT;
}

/** Both orders of one account lose the same size and nothing is traded. */
function decrement(taking: Taking, maker: OpenOrder, step: PlanStep): void {
  const { exchange, market, taker, events } = taking;
  const { order } = maker;
  release(exchange.ledger, maker.spends, holdOf(order, step.size, market.terms));
  lose(taker, step.size);
  lose(maker, step.size);
  takeFromBook(market, maker, step.size);
  if (maker.remaining === NO_LOTS) {
    closeOrder(taking, maker, { reason: 'selfTrade', rested: true, removed: step.size });
    return;
  }
  events.push({
    type: 'OrderReduced',
    orderId: order.orderId,
    account: order.account,
    market: order.market,
    side: order.side,
    price: order.price,
    reducedBy: step.size,
    remaining: maker.remaining,
  });
}
