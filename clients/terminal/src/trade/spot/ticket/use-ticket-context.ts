/** What the ticket reckons with: the account's free money and the book, twice a second at most. */
import { useMemo } from 'react';
import { millis, NO_ATOMS, NO_TICKS, parseTicks } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import { referencePrice } from '@orrery/rules';
import type { Balance, Ticker } from '@orrery/api';
import type { TradedMarket } from '../../../market/market.ts';
import { useAccount, useSpotBalance } from '../../../platform/data/streams/use-account.ts';
import { useDepth, useTape, useTicker } from '../../../platform/data/streams/use-streams.ts';
import { levelPrice } from '../../shared/ticket/book-walk.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';
import { cutToAtoms } from './ticket-context.ts';
import type { TicketContext } from './ticket-context.ts';

const NO_LEVELS: Levels = [];

/** The rules of the exchange that hold now. */
const RULES = 2;

/**
 * The reference price as the exchange measures it, from what is published: the last trade and the index. Times are the exchange's own. Without an
 * index the exchange has a slow average that it does not publish: then the reference is unknown here.
 */
export function referenceOf(market: TradedMarket, ticker: Ticker | undefined, lastTradeAt: number): Ticks {
  if (ticker?.i === undefined || ticker.i === null) return NO_TICKS;
  const priceOf = (text: string | null): Ticks => (text === null ? undefined : parseTicks(text, market.pricePrecision)) ?? NO_TICKS;
  const at = millis(Math.max(ticker.t, lastTradeAt));
  const prices = {
    lastPrice: priceOf(ticker.c),
    lastTradeAt: millis(lastTradeAt),
    indexPrice: priceOf(ticker.i),
    indexAt: at,
    average: 0,
    averageAt: at,
  };
  return referencePrice(RULES, prices, market.terms, at);
}

/** An account that never had a coin has no balance of it: that is zero, once the account is known. */
function freeOf(balance: Balance | undefined, decimals: number, isReady: boolean): Atoms | undefined {
  if (balance !== undefined) return cutToAtoms(balance.availableBalance, decimals);
  return isReady ? NO_ATOMS : undefined;
}

export function useTicketContext(market: TradedMarket): TicketContext {
  const { value: depth } = useDepth();
  const isReady = useAccount().value !== undefined;
  const base = useSpotBalance(market.base);
  const quote = useSpotBalance(market.quote);
  const { value: ticker } = useTicker(market.symbol);
  const tradedAt = useTape().value?.[0]?.time ?? 0;
  return useMemo(() => {
    // A depth of the market that was in view before says nothing about this one.
    const [bids, asks] = depth?.symbol === market.symbol ? [depth.bids, depth.asks] : [NO_LEVELS, NO_LEVELS];
    return {
      market,
      freeBase: freeOf(base, market.baseDecimals, isReady),
      freeQuote: freeOf(quote, market.quoteDecimals, isReady),
      lastPrice: (ticker?.c == null ? undefined : parseTicks(ticker.c, market.pricePrecision)) ?? NO_TICKS,
      reference: referenceOf(market, ticker, tradedAt),
      bestBid: levelPrice(bids, 0),
      bestAsk: levelPrice(asks, 0),
      bids,
      asks,
    };
  }, [market, depth, isReady, base, quote, ticker, tradedAt]);
}
