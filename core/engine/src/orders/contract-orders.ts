/** Orders of contracts that the exchange itself makes. */
import { NO_ATOMS, NO_TICKS, ppm, type Ticks } from '@orrery/units';
import { NOT_ATTACHED, type ContractOrderTerms, type Order, type OrderAccepted } from '@orrery/protocol';
import { DEFAULT_SLIPPAGE_PPM } from '@orrery/rules';

/** Most orders have these terms: one object stands for all of them. */
export const PLAIN_TERMS: ContractOrderTerms = {
  positionSide: 'both',
  reduceOnly: false,
  closePosition: false,
  triggerBy: 'last',
  trailingPpm: ppm(0),
  source: 'plain',
  triggerDirection: 'none',
  parent: 0,
  group: 0,
  takeProfit: NOT_ATTACHED,
  stopLoss: NOT_ATTACHED,
};

type Named = Pick<Order, 'orderId' | 'account' | 'market' | 'side' | 'size' | 'createdAt'>;
type Terms = Pick<ContractOrderTerms, 'positionSide' | 'reduceOnly' | 'source'> & Partial<Pick<ContractOrderTerms, 'group'>>;

/** It takes what it can at once, within the default slippage. */
export function marketOrder(named: Named, terms: Terms): OrderAccepted {
  return {
    type: 'OrderAccepted',
    orderId: named.orderId,
    account: named.account,
    market: named.market,
    clientOrderId: '',
    side: named.side,
    orderType: 'market',
    timeInForce: 'IOC',
    price: NO_TICKS,
    size: named.size,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: DEFAULT_SLIPPAGE_PPM,
    selfTradePrevention: 'expireTaker',
    createdAt: named.createdAt,
    contract: plainTerms(terms),
    spot: undefined,
  };
}

/** It rests with what it does not take at once. */
export function limitOrder(named: Named, price: Ticks, terms: Terms): OrderAccepted {
  return { ...marketOrder(named, terms), orderType: 'limit', timeInForce: 'GTC', price, slippagePpm: ppm(0) };
}

function plainTerms({ positionSide, reduceOnly, source, group = 0 }: Terms): ContractOrderTerms {
  return {
    positionSide,
    reduceOnly,
    closePosition: false,
    triggerBy: 'last',
    trailingPpm: ppm(0),
    source,
    triggerDirection: 'none',
    parent: 0,
    group,
    takeProfit: NOT_ATTACHED,
    stopLoss: NOT_ATTACHED,
  };
}
