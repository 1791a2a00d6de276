/** Spot markets on the trading page. */
import type { MarketKind } from '../shared/market-kind.tsx';
import { SpotCandles } from './candles.tsx';
import { AccountTables } from './tables/account-tables.tsx';
import { focusTicket } from './ticket/size-field.tsx';
import { useTicket } from './ticket/ticket-store.ts';
import { Ticket } from './ticket/ticket.tsx';

export const spotKind: MarketKind = {
  Ticket,
  Tables: AccountTables,
  Candles: SpotCandles,
  ticket: {
    takePrice: (price) => useTicket.getState().takePrice(price),
    setSide: (side) => useTicket.getState().set({ side }),
    focus: focusTicket,
  },
};
