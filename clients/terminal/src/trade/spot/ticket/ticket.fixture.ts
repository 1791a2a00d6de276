/** A book, an account and an order for the tests of the ticket. */
import { accountId, atoms, lots, marketId, millis, NO_ATOMS, NO_TICKS, orderId, ppm, ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { BTC } from '../../../market/market.fixture.ts';
import type { TicketContext } from './ticket-context.ts';
import { EMPTY_TICKET } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

/** Bid 60,000.0 x 1 and 59,999.0 x 2; ask 60,010.0 x 0.5 and 60,020.0 x 3. 0.4 BTC and 25,000 USDC are free. */
export const CONTEXT: TicketContext = {
  market: BTC,
  freeBase: atoms(40_000_000n),
  freeQuote: atoms(25_000_000_000n),
  lastPrice: ticks(600_050),
  reference: ticks(600_050),
  bestBid: ticks(600_000),
  bestAsk: ticks(600_100),
  bids: [600_000, 100_000, 599_990, 200_000],
  asks: [600_100, 50_000, 600_200, 300_000],
};

export const ticket = (part: Partial<TicketForm>): TicketForm => ({ ...EMPTY_TICKET, ...part });

export const exampleOrder = (part: Partial<Order>): Order => ({
  orderId: orderId(1),
  account: accountId(1),
  market: marketId(1),
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: NO_TICKS,
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  createdAt: millis(0),
  contract: undefined,
  spot: undefined,
  ...part,
});
