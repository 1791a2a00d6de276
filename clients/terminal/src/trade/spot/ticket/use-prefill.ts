/** The price starts at the middle of the market, once in each market that comes into view. */
import { printDecimal } from '@orrery/units';
import { useEffect, useRef } from 'react';
import type { TicketContext } from './ticket-context.ts';
import { useTicket } from './ticket-store.ts';

export function usePrefill(context: TicketContext): void {
  const set = useTicket((ticket) => ticket.set);
  const clear = useTicket((ticket) => ticket.clear);
  const filled = useRef('');
  const { symbol, pricePrecision } = context.market;
  const bid = context.bids[0] ?? 0;
  const ask = context.asks[0] ?? 0;
  useEffect(() => {
    if (filled.current === symbol || bid === 0 || ask === 0) return;
    // A price picked before this ticket opened is the person's own.
    const hasPrice = useTicket.getState().form.price !== '' && filled.current === '';
    if (filled.current !== '') clear('numbers');
    filled.current = symbol;
    if (!hasPrice) set({ price: printDecimal(BigInt(Math.floor((bid + ask) / 2)), pricePrecision) });
  }, [symbol, pricePrecision, bid, ask, set, clear]);
}
