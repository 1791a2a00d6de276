import { useMemo } from 'react';
import { useOwnOrders } from '../../../platform/data/streams/use-account.ts';
import type { TradedMarket } from '../../../market/market.ts';
import { isPerpetual } from '../../../platform/feed/perpetual.ts';
import { ownPrices } from './own-prices.ts';
import type { OwnPrices } from './own-prices.ts';

/** New sets only when the account's orders or the step change, so that the rows of the book need not render. */
export function useOwnPrices(market: TradedMarket, step: number): OwnPrices {
  const orders = useOwnOrders(isPerpetual(market.symbol) ? 'contracts' : 'spot');
  return useMemo(() => ownPrices(orders, market, step), [orders, market, step]);
}
