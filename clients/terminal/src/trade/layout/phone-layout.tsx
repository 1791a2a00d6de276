/** Below 760 px: one panel at a time, Buy and Sell always in reach, the ticket as a sheet. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ChartToolbar } from '../../chart/chart-toolbar.tsx';
import { useText } from '../../i18n/text.tsx';
import { Checklist } from '../../onboarding/checklist.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import { BookControls } from '../book/book-controls.tsx';
import { OrderBook } from '../book/order-book.tsx';
import { Tape } from '../book/tape.tsx';
import { PhoneMarketBar } from '../market/phone-market-bar.tsx';
import { AccountTables } from '../tables/account-tables.tsx';
import { Ticket } from '../ticket/ticket.tsx';
import { useTicket } from '../ticket/ticket-store.ts';
import { Candles, Depth } from './chart-panel.tsx';

const VIEWS = ['chart', 'depth', 'book', 'trades', 'orders'] as const;
type View = (typeof VIEWS)[number];

function PanelOf({ view }: { readonly view: View }): ReactElement {
  switch (view) {
    case 'chart':
      return <Candles />;
    case 'depth':
      return <Depth />;
    case 'book':
      return <OrderBook />;
    case 'trades':
      return <Tape />;
    case 'orders':
      return <AccountTables />;
  }
}

const controls: Partial<Record<View, ReactElement>> = { chart: <ChartToolbar />, book: <BookControls /> };

/** A price picked from the book opens the ticket with it: there is no ticket beside it. */
function usePickedPrice(open: () => void): void {
  const price = useTicket((ticket) => ticket.picked);
  const [seen, setSeen] = useState(price);
  if (price === seen) return;
  setSeen(price);
  open();
}

export function PhoneLayout(): ReactElement {
  const text = useText();
  const [view, setView] = useState<View>('chart');
  const [sheet, setSheet] = useState<'open' | 'closed'>('closed');
  const set = useTicket((ticket) => ticket.set);
  usePickedPrice(() => setSheet('open'));
  const tabs = VIEWS.map((id) => ({ id, label: text(id === 'book' ? 'trade.tab.shortBook' : `trade.tab.${id}`) }));
  const open = (side: 'buy' | 'sell'): void => {
    set({ side });
    setSheet('open');
  };
  return (
    <main className="flex grow flex-col">
      <PhoneMarketBar />
      <Tabs
        tabs={tabs}
        active={view}
        onChange={setView}
        label={text('trade.view')}
        className="grow bg-panel [&>div:first-child]:h-10"
        aside={controls[view]}
      >
        <TabPanel id={view} className="flex min-h-[340px] flex-[1_0_58dvh] flex-col overflow-hidden border-b border-line">
          <PanelOf view={view} />
        </TabPanel>
        <Checklist onFirstOrder={() => open('buy')} />
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
          <Ticket />
        </div>
      </Dialog>
    </main>
  );
}
