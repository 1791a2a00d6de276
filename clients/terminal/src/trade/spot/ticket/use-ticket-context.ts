/** What the ticket reckons with: the account's free money and the book, twice a second at most. */
import { useMemo } from 'react';
import { parseTicks } from '@orrery/units';
import type { TradedMarket } from '../../../feed/market.ts';
import { useDepth, useSpotBalance, useTicker } from '../../../feed/use-feed.ts';
import { useAccount } from '../../../feed/use-feed.ts';
import type { TicketContext } from './ticket-context.ts';

export function useTicketContext(market: TradedMarket): TicketContext {
  const { bids, asks } = useDepth();
  const { isReady } = useAccount();
  const base = useSpotBalance(market.base)?.availableBalance;
  const quote = useSpotBalance(market.quote)?.availableBalance;
  const last = useTicker(market.symbol)?.c ?? undefined;
  return useMemo(
    () => ({
      market,
      // An account that never had a coin has no balance of it: that is zero, once the account is known.
      freeBase: base ?? (isReady ? '0' : undefined),
      freeQuote: quote ?? (isReady ? '0' : undefined),
      lastPrice: (last === undefined ? undefined : parseTicks(last, market.pricePrecision)) ?? 0,
      bids,
      asks,
    }),
    [market, bids, asks, isReady, base, quote, last],
  );
}
