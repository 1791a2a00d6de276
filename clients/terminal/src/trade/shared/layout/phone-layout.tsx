/** Below 760 px: one panel at a time, Buy and Sell always in reach, the ticket as a sheet. */
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { ChartToolbar } from '../../../market/chart/chart-toolbar.tsx';
import { useText } from '../../../kit/i18n/text.tsx';
import { Checklist } from '../../../areas/onboarding/checklist.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { useChoiceInUrl } from '../../../kit/ui/in-url.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { BookControls } from '../book/book-controls.tsx';
import { OrderBook } from '../book/order-book.tsx';
import { Tape } from '../book/tape.tsx';
import { PhoneMarketBar } from '../market/phone-market-bar.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { MarketKindProvider, useMarketKind } from '../../../market/market-kind.tsx';
import type { PickedLevel } from '../../../market/market-kind.tsx';
import { Depth } from './chart-panel.tsx';

const VIEWS = ['chart', 'depth', 'book', 'trades', 'orders'] as const;
type View = (typeof VIEWS)[number];

function PanelOf({ view }: { readonly view: string }): ReactElement {
  const { Candles, Tables, views } = useMarketKind();
  const own = views.find(({ id }) => id === view);
  if (own !== undefined) return <own.View />;
  switch (view as View) {
    case 'chart':
      return <Candles />;
    case 'depth':
      return <Depth />;
    case 'book':
      return <OrderBook />;
    case 'trades':
      return <Tape />;
    case 'orders':
      return <Tables />;
  }
}

const controls: Partial<Record<string, ReactElement>> = { chart: <ChartToolbar />, book: <BookControls /> };

export function PhoneLayout(): ReactElement {
  const text = useText();
  const [sheet, setSheet] = useState<'open' | 'closed'>('closed');
  const kind = useMarketKind();
  const { symbol } = useMarket();
  // A price picked from the book opens the ticket with it: there is no ticket beside it.
  const opening = useMemo(() => {
    const take = (level: PickedLevel): void => {
      kind.ticket.take(level);
      setSheet('open');
    };
    return { ...kind, ticket: { ...kind.ticket, take } };
  }, [kind]);
  const tabs = [
    ...VIEWS.map((id) => ({ id, label: text(id === 'book' ? 'trade.tab.shortBook' : `trade.tab.${id}`) })),
    ...kind.views.map(({ id, label }) => ({ id, label: text(label) })),
  ];
  const [view, setView] = useChoiceInUrl({ name: 'view', values: tabs.map(({ id }) => id), usual: 'chart' });
  const open = (side: 'buy' | 'sell'): void => {
    kind.ticket.begin(symbol, side);
    setSheet('open');
  };
  return (
    <main className="flex grow flex-col">
      <Panel room="line">
        <PhoneMarketBar />
      </Panel>
      <Tabs tabs={tabs} value={view} onChange={setView} label={text('trade.view')} className="grow bg-panel [&>div:first-child]:h-10">
        <TabPanel id={view} className="flex min-h-[340px] flex-[1_0_58dvh] flex-col overflow-hidden border-b border-line">
          {/* Beside five names there is no room for them. */}
          {controls[view] !== undefined && (
            <div className="@container flex h-9 shrink-0 items-center justify-end gap-1 border-b border-line px-2.5">{controls[view]}</div>
          )}
          <MarketKindProvider value={opening}>
            <PanelOf view={view} />
          </MarketKindProvider>
        </TabPanel>
        {kind.Account !== undefined && (
          <Panel>
            <kind.Account />
          </Panel>
        )}
        <Panel>
          <Checklist onFirstOrder={() => open('buy')} />
        </Panel>
        {kind.Practice !== undefined && (
          <Panel>
            <kind.Practice />
          </Panel>
        )}
      </Tabs>
      <div className="sticky bottom-0 z-20 grid grid-cols-2 gap-2 border-t border-line bg-page p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        {(['buy', 'sell'] as const).map((side) => (
          <Button key={side} kind={side === 'buy' ? 'up' : 'down'} size="large" className="h-11" onClick={() => open(side)}>
            {text(`trade.${side}`)}
          </Button>
        ))}
      </div>
      <Dialog open={sheet === 'open'} onClose={() => setSheet('closed')} title={text('trade.ticket.title')}>
        <div className="-m-4">
          <kind.Ticket />
        </div>
      </Dialog>
    </main>
  );
}
