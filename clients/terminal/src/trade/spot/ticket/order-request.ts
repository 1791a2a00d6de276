/** A checked draft in the words of the exchange's API. */
import type { CreateOrder, CreatePair } from '@orrery/api';
import type { OrderDraft } from './order-draft.ts';

/** What of a pair rests is a limit order. */
const TRADE_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LIMIT',
  stopMarket: 'STOP_MARKET',
  takeProfitLimit: 'TAKE_PROFIT_LIMIT',
  takeProfitMarket: 'TAKE_PROFIT_MARKET',
  trailing: 'TRAILING_STOP_MARKET',
  pair: 'LIMIT',
} as const satisfies Record<OrderDraft['kind'], CreateOrder['tradeType']>;

export function orderRequest(draft: OrderDraft, clientOrderId: string): CreateOrder {
  return {
    symbol: draft.symbol,
    direction: draft.side === 'buy' ? 'BUY' : 'SELL',
    tradeType: TRADE_TYPES[draft.kind],
    timeInForce: draft.timeInForce,
    clientOrderId,
    ...(draft.price !== undefined && { price: draft.price }),
    ...(draft.trigger !== undefined && { stopPrice: draft.trigger }),
    ...(draft.callback !== undefined && { callbackRate: draft.callback }),
    ...(draft.activation !== undefined && { activationPrice: draft.activation }),
    ...(draft.takeProfit !== undefined && { triggerProfitPrice: draft.takeProfit }),
    ...(draft.stopLoss !== undefined && { triggerStopPrice: draft.stopLoss }),
    ...(draft.size !== undefined && { totalAmount: draft.size }),
    ...(draft.funds !== undefined && { funds: draft.funds }),
    ...(draft.max === true && { max: true }),
  };
}

/** The order that rests has the id, its stop one made of it. */
export function pairRequest({ symbol, side, price, trigger, legPrice, size }: OrderDraft, clientOrderId: string): CreatePair {
  const rests = { tradeType: 'LIMIT', clientOrderId, ...(price !== undefined && { price }) } as const;
  const stop = {
    tradeType: legPrice === undefined ? 'STOP_MARKET' : 'STOP_LIMIT',
    clientOrderId: `${clientOrderId}-s`,
    ...(trigger !== undefined && { stopPrice: trigger }),
    ...(legPrice !== undefined && { price: legPrice }),
  } as const;
  return {
    symbol,
    direction: side === 'buy' ? 'BUY' : 'SELL',
    totalAmount: size ?? '0',
    ...(side === 'buy' ? { above: stop, below: rests } : { above: rests, below: stop }),
  };
}
