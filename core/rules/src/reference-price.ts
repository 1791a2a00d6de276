/** The price from which bands are measured, and what it is derived from. Prices are in ticks, times in milliseconds. */
import { NO_TICKS, ticks, type Millis, type Ticks } from '@orrery/units';
import type { BookTerms } from '@orrery/protocol';
import { worseBy } from './bands.ts';
import type { RulesVersion } from './rules-version.ts';

/** A last price older than this no longer represents the market while there is an index price. */
export const LAST_PRICE_FRESH_MS = 60_000;
/** An index price older than this is stale. An unchanged price is submitted again after 12 s at the latest, so two are lost before. */
export const INDEX_FRESH_MS = 30_000;
/** The time constant of the slow average: in a minute a trade moves it by a tenth of its distance. */
export const AVERAGE_TIME_MS = 600_000;
/** The longest time that one trade counts for, so that a trade after a silence moves the average no further than one after a minute. */
export const AVERAGE_STEP_MS = 60_000;

/** A microtick is 10^-6 ticks: the average moves by less than a tick at a time. */
const MICRO = 1_000_000;

export interface MarketPrices {
  /** Of the last trade; 0 before the first. */
  lastPrice: Ticks;
  lastTradeAt: Millis;
  /** 0 until it is known. */
  indexPrice: Ticks;
  /** When the index price was set; 0 while rules 1 hold, which do not keep it. */
  indexAt: Millis;
  /** The slow average in microticks, at most 2^50; 0 before there is a price, and while rules 1 hold. */
  average: number;
  averageAt: Millis;
}

/** The reference price of a market under the rules of a version; 0 when no price is known. */
export function referencePrice(rules: RulesVersion, prices: MarketPrices, market: BookTerms, at: Millis): Ticks {
  return rules === 1 ? lastOrIndex(prices, at) : clampedByIndex(prices, market, at);
}

/**
 * Rules 1: the last price while it is fresh, else the index price, else the last price.
 * Without the freshness, a market that the outside has left by more than the band while nobody traded could never trade again.
 */
function lastOrIndex(prices: MarketPrices, at: Millis): Ticks {
  if (prices.indexPrice === NO_TICKS) return prices.lastPrice;
  return isLastFresh(prices, at) ? prices.lastPrice : prices.indexPrice;
}

/**
 * Rules 2: the last price while it is fresh, at most the market band from a fresh index; the index alone when the last price is stale; the slow
 * average without a fresh index. Two accounts of one person that trade with each other can so move it by the market band at most.
 */
function clampedByIndex(prices: MarketPrices, { marketBandPpm }: BookTerms, at: Millis): Ticks {
  const { indexPrice, lastPrice } = prices;
  if (!isIndexFresh(prices, at)) return averagePrice(prices);
  if (!isLastFresh(prices, at)) return indexPrice;
  const highest = worseBy(indexPrice, marketBandPpm, 'buy');
  const lowest = worseBy(indexPrice, marketBandPpm, 'sell');
  return lastPrice > highest ? highest : lastPrice < lowest ? lowest : lastPrice;
}

const isLastFresh = ({ lastPrice, lastTradeAt }: MarketPrices, at: Millis): boolean =>
  lastPrice !== NO_TICKS && at - lastTradeAt <= LAST_PRICE_FRESH_MS;

export const isIndexFresh = ({ indexPrice, indexAt }: MarketPrices, at: Millis): boolean =>
  indexPrice !== NO_TICKS && indexAt > 0 && at - indexAt <= INDEX_FRESH_MS;

/** The slow average in whole ticks, rounded down, at least 1; 0 when there is none. */
function averagePrice({ average }: MarketPrices): Ticks {
  return average === 0 ? NO_TICKS : ticks(Math.max(1, Math.floor(average / MICRO)));
}

/** Records a trade. Under rules 2 it moves the slow average while there is no fresh index. */
export function recordTrade(rules: RulesVersion, prices: MarketPrices, price: Ticks, at: Millis): void {
  prices.lastPrice = price;
  prices.lastTradeAt = at;
  if (rules === 1 || (prices.averageAt === at && prices.average > 0)) return;
  if (isIndexFresh(prices, at)) return;
  const elapsed = Math.min(at - prices.averageAt, AVERAGE_STEP_MS);
  prices.average = prices.average === 0 ? price * MICRO : prices.average + share(price * MICRO - prices.average, elapsed);
  prices.averageAt = at;
}

/** Records an index price. Under rules 2 the slow average starts from it. */
export function recordIndex(rules: RulesVersion, prices: MarketPrices, price: Ticks, at: Millis): void {
  prices.indexPrice = price;
  if (rules === 1) return;
  prices.indexAt = at;
  prices.average = price * MICRO;
  prices.averageAt = at;
}

/** When rules 2 begin: the average starts from the reference price of rules 1, and the index counts as stale until it is set again. */
export function startAverage(prices: MarketPrices, at: Millis): void {
  prices.average = lastOrIndex(prices, at) * MICRO;
  prices.averageAt = at;
}

/** `gap × elapsed / AVERAGE_TIME_MS`, rounded towards 0. The product exceeds a safe integer, so quotient and remainder are scaled apart. */
function share(gap: number, elapsed: number): number {
  const whole = Math.trunc(gap / AVERAGE_TIME_MS);
  const rest = gap - whole * AVERAGE_TIME_MS;
  return whole * elapsed + Math.trunc((rest * elapsed) / AVERAGE_TIME_MS);
}
