/** What the page of a contract can do by key and by the palette: the ticket, its orders and positions, and the chart. */
import { printDecimal } from '@orrery/units';
import { useEffect } from 'react';
import { registerActions } from '../../platform/actions/action.ts';
import type { Action } from '../../platform/actions/action.ts';
import { useChartSettings, useDrawingTools } from '../../market/chart/chart-settings.ts';
import { INTERVALS } from '../../platform/feed/bars.ts';
import { marketStream } from '../../platform/data/streams/streams.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { useSignedIn } from '../shared/account.ts';
import { useCancelAll } from '../shared/tables/use-cancel.ts';
import { useContractOrders, usePositions } from './account.ts';
import { ALL_OF } from './all-of-orders.ts';
import type { ContractMarket } from '../../market/contract-market.ts';
import { CONTRACT_SIZE_FIELD } from './ticket/contract-form.ts';
import { editContract } from './ticket/contract-tickets.ts';

const CloseAllDialog = lazyDialog(async () => (await import('./positions/close-all-dialog.tsx')).CloseAllDialog);

const sizeField = (): HTMLElement | null => document.getElementById(CONTRACT_SIZE_FIELD);

/** The best price of a side of the book; 0 while there is none. */
function best(side: 'bid' | 'ask'): number {
  const top = marketStream.top();
  return (side === 'bid' ? top?.bestBid : top?.bestAsk) ?? 0;
}

const TABS = [
  ['limit', 'L'],
  ['market', 'M'],
  ['trigger', 'T'],
] as const;

function ticketActions({ symbol, pricePrecision }: ContractMarket): readonly Action[] {
  const side = (to: 'buy' | 'sell', hotkey: string): Action => ({
    id: `ticket.${to}`,
    group: 'trading',
    text: `actions.ticket.${to}`,
    hotkey,
    run: () => {
      editContract(symbol, { side: to });
      sizeField()?.focus();
    },
  });
  const price = (of: 'bid' | 'ask', hotkey: string): Action => ({
    id: `ticket.${of}`,
    group: 'trading',
    text: `actions.ticket.${of}`,
    hotkey,
    isEnabled: () => best(of) > 0,
    run: () => editContract(symbol, { tab: 'limit', price: printDecimal(BigInt(best(of)), pricePrecision) }),
  });
  return [
    side('buy', 'B'),
    side('sell', 'S'),
    ...TABS.map(([tab, hotkey]): Action => ({
      id: `ticket.${tab}`,
      group: 'trading',
      text: tab === 'trigger' ? 'actions.ticket.stop' : `actions.ticket.${tab}`,
      hotkey,
      run: () => editContract(symbol, { tab }),
    })),
    price('bid', 'Shift+B'),
    price('ask', 'Shift+A'),
    {
      id: 'ticket.submit',
      group: 'trading',
      text: 'actions.ticket.submit',
      hotkey: 'Mod+Enter',
      run: () => sizeField()?.closest('form')?.requestSubmit(),
    },
  ];
}

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

export function useFuturesActions(market: ContractMarket): void {
  const isSignedIn = useSignedIn();
  const hasOrders = useContractOrders().open.value?.some(({ symbol }) => symbol === market.wire) === true;
  const { cancelAll } = useCancelAll(ALL_OF.open);
  const hasPositions = (usePositions().value?.length ?? 0) > 0;
  useEffect(() => registerActions([...ticketActions(market), ...chartActions]), [market]);
  useEffect(
    () =>
      registerActions([
        {
          id: 'orders.cancelAll',
          group: 'trading',
          text: 'actions.orders.cancelAll',
          hotkey: 'Shift+X',
          isEnabled: () => isSignedIn && hasOrders,
          run: () => cancelAll(market.wire),
        },
        {
          id: 'positions.closeAll',
          group: 'trading',
          text: 'actions.positions.closeAll',
          hotkey: 'Shift+C',
          isEnabled: () => isSignedIn && hasPositions,
          run: () => void openDialog(CloseAllDialog, {}),
        },
      ]),
    [market, isSignedIn, hasOrders, hasPositions, cancelAll],
  );
}
