/** What the trading page can do by key and by the palette: the ticket, the orders and the chart of the market in view. */
import { NO_TICKS, printTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { useEffect } from 'react';
import { registerActions } from '../../platform/actions/action.ts';
import type { Action } from '../../platform/actions/action.ts';
import { useChartSettings, useDrawingTools } from '../../market/chart/chart-settings.ts';
import { INTERVALS } from '../../platform/feed/bars.ts';
import { accountStream, marketStream } from '../../platform/data/streams/streams.ts';
import type { TradedMarket } from '../../market/market.ts';
import { useSignedIn } from '../shared/account.ts';
import { useCancelAll } from '../shared/tables/use-cancel.ts';
import { focusTicket, sendTicket } from './ticket/size-field.tsx';
import { spotKind } from './spot-kind.ts';
import { TICKET_TABS } from './ticket/ticket-form.ts';
import { accountInView } from '../../kit/storage/account-in-view.ts';
import { editTicket } from './ticket/ticket-store.ts';
import type { TicketOwner } from './ticket/tickets.ts';

const TAB_KEYS = { limit: 'L', market: 'M', stop: 'T' } as const;

const ownerNow = ({ symbol }: TradedMarket): TicketOwner => ({ account: accountInView(), symbol });

function sideAction(market: TradedMarket, side: 'buy' | 'sell', hotkey: string): Action {
  const run = (): void => {
    editTicket(ownerNow(market), { side });
    focusTicket();
  };
  return { id: `ticket.${side}`, group: 'trading', text: `actions.ticket.${side}`, hotkey, run };
}

/** Takes the best price of a side of the book, while there is one. */
function priceAction(market: TradedMarket, side: 'bid' | 'ask', hotkey: string): Action {
  const best = (): Ticks => {
    const top = marketStream.top();
    return (side === 'bid' ? top?.bestBid : top?.bestAsk) ?? NO_TICKS;
  };
  return {
    id: `ticket.${side}`,
    group: 'trading',
    text: `actions.ticket.${side}`,
    hotkey,
    isEnabled: () => best() > NO_TICKS,
    run: () => spotKind.ticket.take({ symbol: market.symbol, price: printTicks(best(), market.pricePrecision) }),
  };
}

const ticketActions = (market: TradedMarket): readonly Action[] => [
  sideAction(market, 'buy', 'B'),
  sideAction(market, 'sell', 'S'),
  ...TICKET_TABS.map((tab): Action => ({
    id: `ticket.${tab}`,
    group: 'trading',
    text: `actions.ticket.${tab}`,
    hotkey: TAB_KEYS[tab],
    // What is spent is a thing of market orders.
    run: () => editTicket(ownerNow(market), { tab, ...(tab !== 'market' && { unit: 'base', size: '' }) }),
  })),
  priceAction(market, 'bid', 'Shift+B'),
  priceAction(market, 'ask', 'Shift+A'),
  { id: 'ticket.submit', group: 'trading', text: 'actions.ticket.submit', hotkey: 'Mod+Enter', run: sendTicket },
];

const chartActions: readonly Action[] = [
  { id: 'chart.tools', group: 'chart', text: 'actions.chart.tools', hotkey: 'D', run: () => useDrawingTools.getState().toggle() },
  ...INTERVALS.map((interval): Action => ({
    id: `chart.interval.${interval}`,
    group: 'chart',
    text: 'actions.chart.interval',
    values: () => ({ interval }),
    run: () => useChartSettings.getState().set({ interval }),
  })),
];

export function useSpotActions(market: TradedMarket): void {
  const { cancelAll } = useCancelAll();
  const isSignedIn = useSignedIn();
  useEffect(() => registerActions([...ticketActions(market), ...chartActions]), [market]);
  useEffect(() => {
    const { symbol } = market;
    return registerActions([
      {
        id: 'orders.cancelAll',
        group: 'trading',
        text: 'actions.orders.cancelAll',
        hotkey: 'Shift+X',
        isEnabled: () => isSignedIn && accountStream.orders().some((order) => order.symbol === symbol),
        run: () => cancelAll(symbol),
      },
    ]);
  }, [market, isSignedIn, cancelAll]);
}
