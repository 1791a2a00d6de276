/**
 * What a command causes beyond itself. Orders whose trigger price was reached act, and what they cause acts too. A command takes a bounded number of such steps;
 * `ContinueTriggers` takes the next ones, so that no command takes long however many orders one price reaches.
 */
import type { Millis } from '@orrery/units';
import type { Command, ContinueMatching, ContinueTriggers, Event, SetAccountFlag, SetIndexPrice } from '@orrery/protocol';
import { reject, TRIGGERS_PER_COMMAND } from '@orrery/rules';
import { setAccountFlag } from './accounts/set-account-flag.ts';
import { setIndexPrice } from './instruments/set-index-price.ts';
import type { Exchange } from './exchange.ts';
import { fundLeft } from './fund/value-fund.ts';
import { fundingLeft } from './funding/continue-funding.ts';
import type { Listed } from './instruments/listed-market.ts';
import { creditSuspended } from './money/credit-suspended.ts';
import { closeOrdersOf } from './orders/cancel-all-orders.ts';
import { continueMatching } from './orders/continue-matching.ts';
import type { CommandScope } from './orders/command-scope.ts';
import type { OrderOutcome } from './orders/order-outcome.ts';
import { refuseState } from './orders/refuse-order.ts';
import { retryStalled, triggerOrder } from './orders/trigger-order.ts';

/** Adds what the trades of an order cause. */
export function afterOrder(exchange: Exchange, at: Millis, { events, market }: OrderOutcome): Event[] {
  if (market === undefined) return events;
  const scope: CommandScope = { trading: exchange, at, events };
  if (exchange.rules === 1) fireAll(scope, market);
  else if (market.triggers.isPending) fireSome(scope, market);
  return events;
}

/** An outside price of a spot market: what could not act when its price was reached is tried again. Since rules 8. */
export function afterIndex(exchange: Exchange, command: SetIndexPrice, at: Millis): Event[] {
  const events = setIndexPrice(exchange, command, at);
  const market = exchange.markets.get(command.market);
  if (market?.state !== 'TRADING' || events[0]?.type !== 'IndexPriceSet' || exchange.rules < 8) return events;
  market.triggers.stalled.begin();
  return market.triggers.stalled.isDue ? afterOrder(exchange, at, { events, market }) : events;
}

/** The same for a command that trades in several contracts: what its trades reach acts next, by continuations. */
export function afterTrades(exchange: Exchange, events: Event[]): Event[] {
  for (const { terms, triggers } of exchange.contracts.values()) if (triggers.isPending) exchange.pending.add(terms.market);
  return events;
}

/** The next steps of what earlier commands reached. Without any, nothing changes and nothing is emitted. */
export function continueTriggers(exchange: Exchange, { market }: ContinueTriggers, at: Millis): Event[] {
  const listed = exchange.markets.get(market) ?? exchange.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseState(listed);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  const scope: CommandScope = { trading: exchange, at, events: [] };
  // What was reached may have been cancelled meanwhile, by the command that reached it too.
  if (listed.triggers.isPending) fireSome(scope, listed);
  else exchange.pending.delete(market);
  return scope.events;
}

/** The next trades of an order that had more than one command may. */
export function continueOrder(exchange: Exchange, { market }: ContinueMatching, at: Millis): Event[] {
  const listed = exchange.markets.get(market) ?? exchange.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseState(listed);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  return afterOrder(exchange, at, continueMatching(exchange, listed, at));
}

/** The command that continues what earlier ones left over: an unfinished order, liquidations, the triggers of the first market by id that trades, timers, funding. */
export function continuation(exchange: Exchange): Command | undefined {
  const { markets, contracts, pending, timers, liquidations, matching } = exchange;
  for (const market of matching.keys())
    if ((markets.get(market) ?? contracts.get(market))?.state === 'TRADING') return { type: 'ContinueMatching', market };
  if (liquidations.nextDue() !== undefined) return { type: 'ContinueLiquidations' };
  let first: Listed | undefined;
  for (const id of pending) {
    const market = markets.get(id) ?? contracts.get(id);
    if (market?.state === 'TRADING' && market.triggers.isPending && (first === undefined || id < first.terms.market)) first = market;
  }
  if (first !== undefined) return { type: 'ContinueTriggers', market: first.terms.market };
  return timers.isPending ? { type: 'RunTimers' } : (fundLeft(exchange) ?? fundingLeft(exchange));
}

/** Rules 1: until nothing is reached any more. Each order triggers at most once, so a cascade ends with the last of them. */
function fireAll(scope: CommandScope, { triggers }: Listed): void {
  for (let reached = triggers.takeReached(); reached.length > 0; reached = triggers.takeReached()) {
    for (const one of reached) triggerOrder(scope, one);
  }
}

function fireSome(scope: CommandScope, { terms, triggers }: Listed): void {
  const { pending } = scope.trading;
  for (let step = 0; step < TRIGGERS_PER_COMMAND && !scope.trading.fills.isSpent && !scope.trading.matching.has(terms.market); step += 1) {
    const next = triggers.takeNext();
    const stalled = next === undefined ? triggers.stalled.takeNext() : undefined;
    if (next !== undefined) triggerOrder(scope, next);
    else if (stalled !== undefined) triggers.stalled.count(retryStalled(scope, stalled));
    else {
      pending.delete(terms.market);
      return;
    }
  }
  pending.add(terms.market);
}

/** Blocking an account closes its open orders in every market; unblocking credits the deposits that waited. */
export function afterFlag(exchange: Exchange, command: SetAccountFlag, at: Millis): Event[] {
  const events = setAccountFlag(exchange.accounts, command);
  const { account, flag, value } = command;
  if (flag !== 'blocked' || events[0]?.type !== 'AccountFlagSet') return events;
  if (value) closeOrdersOf({ trading: exchange, at, events }, account, () => true, 'accountBlocked');
  else creditSuspended(exchange, account, events);
  return events;
}
