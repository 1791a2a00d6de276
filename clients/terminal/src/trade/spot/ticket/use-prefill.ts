/** The price starts at the middle of the market, once each time a market comes into view; a price of the person's own stays. */
import { midTicks, NO_TICKS, printTicks } from '@orrery/units';
import { useEffect, useRef } from 'react';
import type { TicketContext } from './ticket-context.ts';
import { changeTicket } from './ticket-store.ts';
import { prefill } from './tickets.ts';
import type { TicketOwner } from './tickets.ts';

export function usePrefill(owner: TicketOwner, { market, bestBid, bestAsk }: TicketContext): void {
  const filled = useRef<TicketOwner | undefined>(undefined);
  const { pricePrecision } = market;
  useEffect(() => {
    if (filled.current === owner || bestBid === NO_TICKS || bestAsk === NO_TICKS) return;
    filled.current = owner;
    const price = printTicks(midTicks(bestBid, bestAsk), pricePrecision);
    changeTicket(owner, (tickets) => prefill(tickets, owner, price));
  }, [owner, pricePrecision, bestBid, bestAsk]);
}
