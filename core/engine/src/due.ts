/**
 * What is due at a time. It stands in history before the first command of that time or a later one, so that who held at the hour pays for the hour, and what ends at
 * a time ends at it, however late the clock that asks for it strikes. Since rules 8.
 */
import { millis, type Millis } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { fundingLateMs, ORDER_LIFETIME_MS } from '@orrery/rules';
import type { Exchange } from './exchange.ts';
import type { ListedContract } from './instruments/listed-market.ts';
import { fundDue } from './fund/value-fund.ts';
import { isAnyMatching, isMatching } from './orders/must-wait.ts';
import { isOpenBy } from './prices/contract-prices.ts';

/** Orders past their lifetime in a market that is halted stay: they are not looked at more often than this. */
const LOOK_AGAIN_MS = 1_000;

export class Due {
  readonly #exchange: Exchange;
  /** Before this no order is past its lifetime. */
  #expiresFrom = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** The next command that is due by a time, the earliest first; it is one that is not refused, and what is due is less after it. */
  by(at: Millis): Command | undefined {
    const exchange = this.#exchange;
    if (exchange.rules < 8) return undefined;
    if (exchange.otc.wasAway(at)) return { type: 'RunOtcTimers' };
    const funding = exchange.contracts.size === 0 ? undefined : fundingDue(exchange, at);
    const timers = exchange.timers.dueAt;
    const isTimerDue = timers !== undefined && timers <= at && (funding === undefined || timers < funding.interval);
    if (isTimerDue && !isAnyMatching(exchange, ({ contract }) => contract !== undefined)) return { type: 'RunTimers' };
    const fund = exchange.funds.size === 0 || isAnyMatching(exchange, () => true) ? undefined : fundDue(exchange, at);
    if (funding !== undefined || fund !== undefined) return funding ?? fund;
    const desk = exchange.otc.dueAt;
    if (desk !== undefined && desk <= at) return { type: 'RunOtcTimers' };
    return at >= this.#expiresFrom && this.#isExpired(at) ? { type: 'ExpireOrders' } : undefined;
  }

  #isExpired(at: Millis): boolean {
    const { orders } = this.#exchange;
    this.#expiresFrom = at + ORDER_LIFETIME_MS;
    for (const { order, market } of orders) {
      const expiresAt = order.createdAt + ORDER_LIFETIME_MS;
      if (expiresAt > at) {
        this.#expiresFrom = Math.min(this.#expiresFrom, expiresAt);
        return false;
      }
      this.#expiresFrom = at + LOOK_AGAIN_MS;
      if (market.state !== 'HALT') return !isAnyMatching(this.#exchange, () => true);
    }
    return false;
  }
}

/** Of the contract that comes first. */
function fundingDue(exchange: Exchange, at: Millis): Extract<Command, { type: 'SettleFunding' }> | undefined {
  for (const [market, listed] of exchange.contracts) {
    const interval = intervalDue(exchange, listed, at);
    if (interval !== undefined && !isMatching(exchange, market)) return { type: 'SettleFunding', market, interval };
  }
  return undefined;
}

/** The interval that ended last, where it can be settled: with prices that can be relied on, not too late, and when nobody owes for another one. */
function intervalDue({ rules }: Exchange, { contract }: ListedContract, at: Millis): Millis | undefined {
  const { terms, prices, funding } = contract;
  const interval = at - (at % terms.fundingIntervalMs);
  if (interval <= prices.settledAt || funding.unpaid !== undefined) return undefined;
  return at - interval <= fundingLateMs(terms) && isOpenBy(rules, prices, at) ? millis(interval) : undefined;
}
