/** A book and an account for the tests of the ticket. */
import { BTC } from '../../shared/market.fixture.ts';
import type { TicketContext } from './ticket-context.ts';
import { EMPTY_TICKET } from './ticket-form.ts';
import type { TicketForm } from './ticket-form.ts';

/** Bid 60,000.0 x 1 and 59,999.0 x 2; ask 60,010.0 x 0.5 and 60,020.0 x 3. */
export const CONTEXT: TicketContext = {
  market: BTC,
  freeBase: '0.4',
  freeQuote: '25000',
  lastPrice: 600_050,
  bids: [600_000, 100_000, 599_990, 200_000],
  asks: [600_100, 50_000, 600_200, 300_000],
};

export const ticket = (part: Partial<TicketForm>): TicketForm => ({ ...EMPTY_TICKET, ...part });
