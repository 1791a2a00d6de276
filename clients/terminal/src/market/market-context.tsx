/** The market in view, handed to the whole trading page. Facts that do not tick: prices come from the feed. */
import { createContext, useContext } from 'react';
import { assert } from '@orrery/units';
import type { TradedMarket } from './market.ts';

const Market = createContext<TradedMarket | undefined>(undefined);

export const MarketProvider = Market.Provider;

const Listed = createContext<readonly TradedMarket[]>([]);

export const ListedMarketsProvider = Listed.Provider;

/** The markets that are listed beside the one in view, of its kind. */
export const useListedMarkets = (): readonly TradedMarket[] => useContext(Listed);

export function useMarket(): TradedMarket {
  const market = useContext(Market);
  assert(market !== undefined, 'useMarket is called outside the trading page');
  return market;
}
