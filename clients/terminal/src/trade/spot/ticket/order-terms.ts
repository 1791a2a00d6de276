/** The ticket's order as the rules of the exchange take it. */
import { accountId, millis, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, ppm } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { DEFAULT_SLIPPAGE_PPM } from '@orrery/rules';
import type { TicketContext } from './ticket-context.ts';
import type { Amount, Prices } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { OrderKind, TicketForm } from './ticket-form.ts';

/** A pair is held as its stop, a trailing stop as an order to the market. */
const TYPES = {
  limit: 'limit',
  market: 'market',
  stopLimit: 'stopLimit',
  stopMarket: 'stopMarket',
  takeProfitLimit: 'stopLimit',
  takeProfitMarket: 'stopMarket',
  trailing: 'stopMarket',
} as const satisfies Record<Exclude<OrderKind, 'pair'>, Order['orderType']>;

export const typeOf = (form: TicketForm): Order['orderType'] => {
  const kind = orderKind(form);
  return kind === 'pair' ? (form.stopKind === 'limit' ? 'stopLimit' : 'stopMarket') : TYPES[kind];
};

export function timeInForceOf(form: TicketForm): Order['timeInForce'] {
  const kind = orderKind(form);
  if (kind === 'pair') return 'GTC';
  if (TYPES[kind] === 'market' || TYPES[kind] === 'stopMarket') return 'IOC';
  return form.postOnly === 'on' && kind === 'limit' ? 'GTX' : form.timeInForce;
}

/** Of nobody and without a number: the rules for prices, fees and holds look at neither. */
export function orderTerms(form: TicketForm, { market }: Pick<TicketContext, 'market'>, prices: Prices, amount: Amount): Order {
  const isPair = orderKind(form) === 'pair';
  return {
    orderId: orderId(1),
    account: accountId(1),
    market: market.terms.market,
    clientOrderId: '',
    side: form.side,
    orderType: typeOf(form),
    timeInForce: timeInForceOf(form),
    price: (isPair ? prices.legPrice : prices.price) ?? NO_TICKS,
    size: amount.size ?? NO_LOTS,
    funds: amount.funds ?? NO_ATOMS,
    triggerPrice: (orderKind(form) === 'trailing' ? prices.follows : prices.trigger) ?? NO_TICKS,
    slippagePpm: form.tab === 'market' ? DEFAULT_SLIPPAGE_PPM : ppm(0),
    selfTradePrevention: 'expireTaker',
    createdAt: millis(0),
    contract: undefined,
    spot: undefined,
  };
}
