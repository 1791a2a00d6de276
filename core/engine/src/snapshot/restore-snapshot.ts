import { assert, NO_TICKS, type MarketId, type OrderId } from '@orrery/units';
import type { HashKey } from '../keyed/keyed-hash.ts';
import { newListedMarket } from '../instruments/listed-market.ts';
import { watchEverybody } from '../risk/watch-everybody.ts';
import { listedMarket } from '../instruments/listings.ts';
import { newOpenOrder, type OpenOrder } from '../orders/open-order.ts';
import { emptyExchange, type Exchange } from '../exchange.ts';
import { TRIGGER_PRICES, type Order } from '@orrery/protocol';
import { countResting } from '../clearing/perpetual.ts';
import { restoreContracts, restoreReserved, restoreTimers, type ContractSnapshot, type MarksByPrice } from './contract-snapshot.ts';
import { restoreFunds } from './fund-snapshot.ts';
import {
  restoreCollateralPrices,
  restoreFund,
  restoreFunding,
  restoreMatching,
  restorePractice,
  restorePracticeAssets,
  restoreTwapsMissed,
} from './rules-7-snapshot.ts';
import { restoreStalled } from './rules-8-snapshot.ts';
import { restoreQuotaUses } from './quota-snapshot.ts';
import { restoreOtc } from './otc-snapshot.ts';
import { hasSpotTerms, restoreSpotTerms } from './spot-terms-snapshot.ts';
import type { AccountSnapshot, MarketSnapshot, OrderSnapshot, Snapshot } from './snapshot.ts';

/** @param fillsPerCommand another number than that of the rules only in tests */
export function restoreSnapshot(snapshot: Snapshot, hashKey?: HashKey, fillsPerCommand?: number): Exchange {
  const exchange = emptyExchange(hashKey, fillsPerCommand);
  exchange.rules = snapshot.rules;
  for (const asset of snapshot.assets) exchange.assets.set(asset.asset, asset);
  for (const market of snapshot.markets) restoreMarket(exchange, market);
  for (const account of snapshot.accounts) restoreAccount(exchange, account);
  restoreBalances(exchange, snapshot);
  restorePracticeAssets(exchange, snapshot);
  restoreContracts(exchange, snapshot);
  restoreFunding(exchange, snapshot);
  restoreFund(exchange, snapshot);
  restorePractice(exchange, snapshot);
  restoreCollateralPrices(exchange, snapshot);
  restoreOrders(exchange, snapshot);
  restoreReserved(exchange);
  restoreTimers(exchange, snapshot.timers);
  restoreTwapsMissed(exchange, snapshot);
  const { money } = exchange;
  for (const { kind, key, body } of snapshot.keys) money.remember(kind, key, body);
  for (const { withdrawalId, heldAt, ...withdrawal } of snapshot.withdrawals)
    money.withdrawals.set(withdrawalId, { ...withdrawal, heldAt: heldAt[0] });
  for (const { claimId, ...claim } of snapshot.claims) money.claims.set(claimId, claim);
  for (const caps of snapshot.caps) money.caps.set(caps.asset, caps);
  for (const outflow of snapshot.outflows) money.outflows.restore(outflow);
  restoreOtc(exchange, snapshot);
  restoreFunds(exchange, snapshot);
  restoreQuotaUses(exchange, snapshot);
  watchEverybody(exchange);
  return exchange;
}

function restoreMarket(exchange: Exchange, snapshot: MarketSnapshot): void {
  const { terms, state, lastPrice, lastTradeAt, indexPrice, indexAt, average, averageAt } = snapshot;
  const prices = { lastPrice, lastTradeAt, indexPrice, indexAt, average, averageAt };
  exchange.markets.set(terms.market, { ...newListedMarket(terms, exchange.clearingOf(terms)), ...prices, state });
}

function restoreAccount(exchange: Exchange, snapshot: AccountSnapshot): void {
  const account = exchange.accounts.open(snapshot.address);
  for (const flag of snapshot.flags) exchange.accounts.set(account.id, flag, true);
  exchange.orders.named.restore(account.id, snapshot.closed);
  if (snapshot.suspended.length > 0) account.suspended = snapshot.suspended;
  account.lastClaimAt = snapshot.lastClaimAt[0];
}

function restoreBalances({ ledger }: Exchange, snapshot: Snapshot): void {
  for (const { account, wallet, asset, free, held } of snapshot.balances) ledger.restore(ledger.of(account, wallet, asset), free, held);
  for (const { system, asset, free, held } of snapshot.systemBalances) ledger.restore(ledger.system(system, asset), free, held);
}

/** Holds are in the balances already. */
function restoreOrders(exchange: Exchange, snapshot: Snapshot): void {
  const { orders } = exchange;
  orders.lastOrderId = snapshot.lastOrderId;
  orders.lastTradeId = snapshot.lastTradeId;
  const asked = new Map(snapshot.asked.map((order) => [order.orderId, order]));
  for (const order of snapshot.orders) orders.enter(waiting(exchange, order, asked));
  for (const market of [...snapshot.markets, ...snapshot.contracts]) for (const id of market.resting) restoreResting(exchange, id);
  restoreMatching(exchange, snapshot);
  if (hasSpotTerms(snapshot)) for (const id of snapshot.standing) rearm(orders.known(id));
  else for (const open of orders) if (open.status === 'armed' && open.order.contract === undefined) rearm(open);
  restoreSpotTerms(exchange, snapshot);
  for (const contract of snapshot.contracts) restoreWaiting(exchange, contract);
  restoreStalled(exchange, snapshot);
  for (const { terms, reached } of snapshot.markets) restoreReached(exchange, terms.market, { last: reached });
  for (const { terms, reached } of snapshot.contracts) restoreReached(exchange, terms.market, reached);
}

/** Those of a contract stand in an order of their own: an amended one stands behind others of its price. */
function restoreWaiting({ orders }: Exchange, { waiting, trailing }: ContractSnapshot): void {
  for (const id of waiting) rearm(orders.known(id));
  for (const kind of TRIGGER_PRICES) {
    for (const mark of trailing[kind]) {
      const open = orders.known(mark.orderId);
      open.slot = open.market.triggers.restoreTrailing(open.order, mark);
      open.market.clearing.reserve(open);
    }
  }
}

function rearm(open: OpenOrder): void {
  open.slot = open.market.triggers.add(open.order, NO_TICKS);
  if (open.order.contract !== undefined) open.market.clearing.reserve(open);
}

function restoreReached(exchange: Exchange, market: MarketId, reached: Partial<MarksByPrice>): void {
  const { triggers } = listedMarket(exchange, market);
  for (const kind of TRIGGER_PRICES) {
    const marks = reached[kind];
    if (marks !== undefined) triggers.restore(kind, marks);
  }
  if (triggers.isPending) exchange.pending.add(market);
}

/** Its account and its market must exist. */
function waiting(exchange: Exchange, snapshot: OrderSnapshot, asked: ReadonlyMap<OrderId, Order>): OpenOrder {
  const { order, replaces, remaining, filled, filledNotional } = snapshot;
  assert(exchange.accounts.has(order.account), 'an account that the state names exists');
  const market = listedMarket(exchange, order.market);
  const open = newOpenOrder(order, market, market.clearing.payerOf(order), replaces);
  return Object.assign(open, { status: 'armed', remaining, filled, filledNotional, asked: asked.get(order.orderId) ?? order });
}

function restoreResting(exchange: Exchange, id: OrderId): void {
  const open = exchange.orders.known(id);
  assert(open.status === 'armed', 'an order rests once');
  const { account, side, price } = open.order;
  open.slot = open.market.book.add(id, account, side, price, open.remaining);
  open.status = 'resting';
  if (open.market.contract !== undefined) countResting(exchange.positions.at(open.payer), open);
}
