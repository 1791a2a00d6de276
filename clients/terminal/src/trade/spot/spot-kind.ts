/** Spot markets on the trading page. */
import type { MarketKind } from '../../market/market-kind.tsx';
import { SpotCandles } from './candles.tsx';
import { focusTicket } from './ticket/size-field.tsx';
import { accountInView } from '../../kit/storage/account-in-view.ts';
import { changeTicket, editTicket } from './ticket/ticket-store.ts';
import { pick } from './ticket/tickets.ts';
import { SpotTicket } from './spot-ticket.tsx';
import { SpotFigures } from '../shared/market/market-bar.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';

/** Nobody waits for it to trade. */
const Summary = lazyPart(async () => (await import('./spot-summary.tsx')).SpotSummary);

/** What a wide window never shows. */
const PhoneFigures = lazyPart(async () => (await import('../shared/market/phone-market-bar.tsx')).SpotPhoneFigures);

/** The chart and the ticket are there before them. */
const Tables = lazyPart(async () => (await import('./tables/account-tables.tsx')).AccountTables);

export const spotKind: MarketKind = {
  path: '/trade/spot/$pair',
  pairOf: (symbol) => symbol,
  favourites: 'kept',
  Figures: SpotFigures,
  PhoneFigures,
  Summary,
  Account: undefined,
  Practice: undefined,
  Ticket: SpotTicket,
  Tables,
  views: [],
  Candles: SpotCandles,
  ticket: {
    take: ({ symbol, price, size, take }) =>
      changeTicket({ account: accountInView(), symbol }, (tickets) =>
        pick(tickets, { account: accountInView(), symbol }, { price, size, side: take }),
      ),
    begin: (symbol, side) => editTicket({ account: accountInView(), symbol }, { side }),
    focus: focusTicket,
  },
};
