/** The listed markets, read once and kept: what the exchange lists, in the words of the trading page. */
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { tradedMarket } from './market.ts';
import type { TradedMarket } from './market.ts';

async function loadMarkets(): Promise<readonly TradedMarket[]> {
  const [symbols, coins] = await Promise.all([http.load('symbols', { ignoreToken: true }), http.load('coins', { ignoreToken: true })]);
  return symbols.toSorted((left, right) => left.sequence - right.sequence).map((info) => tradedMarket(info, coins));
}

/** A market can be halted at any time: the list is read again now and then. */
const marketsQuery = { queryKey: ['markets'], queryFn: loadMarkets, staleTime: 30_000, refetchInterval: 60_000 } as const;

export function useMarkets(): UseQueryResult<readonly TradedMarket[]> {
  return useQuery(marketsQuery);
}
