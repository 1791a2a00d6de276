/** The market in view, handed to the whole trading page. Facts that do not tick: prices come from the feed. */
import { createContext, useContext } from 'react';
import { assert } from '@orrery/units';
import type { TradedMarket } from '../../feed/market.ts';

const Market = createContext<TradedMarket | undefined>(undefined);

export const MarketProvider = Market.Provider;

export function useMarket(): TradedMarket {
  const market = useContext(Market);
  assert(market !== undefined, 'useMarket is called outside the trading page');
  return market;
}
