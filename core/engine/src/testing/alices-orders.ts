/** Orders of one account as they stand open, for tests of the pieces that keep them. */
import { lots, millis, NO_ATOMS, orderId, ppm, ticks, type OrderId } from '@orrery/units';
import type { Market, Order } from '@orrery/protocol';
import { SpotClearing } from '../clearing/spot.ts';
import { Ledger } from '../ledger/ledger.ts';
import { newListedMarket, type ListedMarket } from '../instruments/listed-market.ts';
import { newOpenOrder, type OpenOrder } from '../orders/open-order.ts';
import { accountOf } from './tape-people.ts';
import { MARKET } from './tape.ts';

/** A market that pays from a ledger of its own. */
export function listed(terms: Market): ListedMarket {
  return newListedMarket(terms, new SpotClearing(new Ledger(), terms));
}

export const alice = accountOf('alice');
const market = listed(MARKET);

export const orderOf = (id: number, different: Partial<Order> = {}): Order => ({
  orderId: orderId(id),
  account: alice,
  market: MARKET.market,
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(1),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(0),
  contract: undefined,
  spot: undefined,
  ...different,
});

export const openOrder = (order: Order, { replaces = 0, of = market }: { replaces?: OrderId | 0; of?: ListedMarket } = {}): OpenOrder =>
  newOpenOrder(order, of, of.clearing.payerOf(order), replaces);
