/** The ticket's order as the rules of the exchange take it. */
import { accountId, millis, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, ppm } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { DEFAULT_SLIPPAGE_PPM } from '@orrery/rules';
import type { TicketContext } from './ticket-context.ts';
import type { Amount, Prices } from './ticket-fields.ts';
import { orderKind } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

export function timeInForceOf(form: TicketForm): Order['timeInForce'] {
  const kind = orderKind(form);
  if (kind === 'market' || kind === 'stopMarket') return 'IOC';
  return form.postOnly === 'on' && kind === 'limit' ? 'GTX' : form.timeInForce;
}

/** Of nobody and without a number: the rules for prices, fees and holds look at neither. */
export function orderTerms(form: TicketForm, { market }: Pick<TicketContext, 'market'>, prices: Prices, amount: Amount): Order {
  const kind = orderKind(form);
  return {
    orderId: orderId(1),
    account: accountId(1),
    market: market.terms.market,
    clientOrderId: '',
    side: form.side,
    orderType: kind,
    timeInForce: timeInForceOf(form),
    price: prices.price ?? NO_TICKS,
    size: amount.size ?? NO_LOTS,
    funds: amount.funds ?? NO_ATOMS,
    triggerPrice: prices.trigger ?? NO_TICKS,
    slippagePpm: kind === 'market' ? DEFAULT_SLIPPAGE_PPM : ppm(0),
    selfTradePrevention: 'expireTaker',
    createdAt: millis(0),
    contract: undefined,
    spot: undefined,
  };
}
