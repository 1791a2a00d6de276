/** A checked draft in the words of the exchange's API. */
import type { CreateOrder } from '@orrery/api';
import type { OrderDraft } from './order-draft.ts';

const TRADE_TYPES = { limit: 'LIMIT', market: 'MARKET', stopLimit: 'STOP_LIMIT', stopMarket: 'STOP_MARKET' } as const;

export function orderRequest(draft: OrderDraft, clientOrderId: string): CreateOrder {
  return {
    symbol: draft.symbol,
    direction: draft.side === 'buy' ? 'BUY' : 'SELL',
    tradeType: TRADE_TYPES[draft.kind],
    timeInForce: draft.timeInForce,
    clientOrderId,
    ...(draft.price !== undefined && { price: draft.price }),
    ...(draft.trigger !== undefined && { stopPrice: draft.trigger }),
    ...(draft.size !== undefined && { totalAmount: draft.size }),
    ...(draft.funds !== undefined && { funds: draft.funds }),
  };
}
