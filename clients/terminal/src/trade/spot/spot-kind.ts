/** Spot markets on the trading page. */
import type { MarketKind } from '../shared/market-kind.tsx';
import { SpotCandles } from './candles.tsx';
import { AccountTables } from './tables/account-tables.tsx';
import { focusTicket } from './ticket/size-field.tsx';
import { accountInView, changeTickets, editTicket } from './ticket/ticket-store.ts';
import { pick } from './ticket/tickets.ts';
import { SpotTicket } from './spot-ticket.tsx';

export const spotKind: MarketKind = {
  Ticket: SpotTicket,
  Tables: AccountTables,
  Candles: SpotCandles,
  ticket: {
    take: ({ symbol, price, size, take }) =>
      changeTickets((tickets) => pick(tickets, { account: accountInView(), symbol }, { price, size, side: take })),
    begin: (symbol, side) => editTicket({ account: accountInView(), symbol }, { side }),
    focus: focusTicket,
  },
};
