import type { Order } from '@orrery/api';
import { useMemo } from 'react';
import type { TradedMarket } from '../../../feed/market.ts';
import { useAccount } from '../../../data/streams/use-streams.ts';
import { ownPrices } from './own-prices.ts';
import type { OwnPrices } from './own-prices.ts';

const NO_ORDERS: readonly Order[] = [];

/** New sets only when the account's orders or the step change, so that the rows of the book need not render. */
export function useOwnPrices(market: TradedMarket, step: number): OwnPrices {
  const orders = useAccount().value?.orders ?? NO_ORDERS;
  return useMemo(() => ownPrices(orders, market, step), [orders, market, step]);
}
