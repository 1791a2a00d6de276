/** What an open order holds of its account's spot money. The fee is paid in what is received, so it is never part of a hold. */
import { NO_ATOMS, NO_TICKS, unreachable, type Atoms, type Lots } from '@orrery/units';
import type { Market, Order } from '@orrery/protocol';
import { stopMarketBound } from './bands.ts';
import { baseAmount, notional } from './notional.ts';

/**
 * Quote atoms for a buy, base atoms for a sell.
 * A limit buy holds its remainder at its limit; a stop market buy its size at its worst price, or its funds; a sell holds what it would sell.
 * Of a pair the first order holds for both.
 * @param remaining lots still to trade
 */
export function holdOf(order: Order, remaining: Lots, market: Market): Atoms {
  if (order.spot !== undefined && order.spot.reservedBy !== 0) return NO_ATOMS;
  if (order.side === 'sell') return baseAmount(remaining, market);
  const { spot } = order;
  if (spot !== undefined && spot.reservePrice !== NO_TICKS && order.funds === NO_ATOMS)
    return notional(spot.reservePrice, remaining, market);
  switch (order.orderType) {
    case 'limit':
    case 'stopLimit':
      return notional(order.price, remaining, market);
    case 'stopMarket':
      return order.funds > NO_ATOMS ? order.funds : notional(stopMarketBound(order, market), remaining, market);
    case 'market':
      return NO_ATOMS;
    default:
      return unreachable(order.orderType);
  }
}
