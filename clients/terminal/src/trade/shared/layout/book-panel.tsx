/** Order book and trades as tabs of one column. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useChoiceInUrl } from '../../../kit/ui/in-url.ts';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { BookControls } from '../book/book-controls.tsx';
import { OrderBook } from '../book/order-book.tsx';
import { Tape } from '../book/tape.tsx';

const VIEWS = ['book', 'trades'] as const;

/** @param views with the tape elsewhere, the book stands alone. */
export function BookPanel({ views = VIEWS }: { readonly views?: readonly (typeof VIEWS)[number][] }): ReactElement {
  const text = useText();
  const [view, setView] = useChoiceInUrl({ name: 'book', values: views, usual: views[0] ?? 'book' });
  // Two names beside the controls have no room for long words: the name of the panel says the whole.
  const tabs = views.map((id) => ({ id, label: text(id === 'book' ? 'trade.tab.shortBook' : 'trade.tab.trades') }));
  return (
    <Tabs
      tabs={tabs}
      value={view}
      onChange={setView}
      label={text('trade.view')}
      panel={text(views.includes('book') ? 'trade.panel.book' : 'trade.panel.trades')}
      className="h-full bg-panel"
      aside={view === 'book' && <BookControls />}
    >
      <TabPanel id={view} className="flex min-w-0 flex-col">
        {view === 'book' ? <OrderBook /> : <Tape />}
      </TabPanel>
    </Tabs>
  );
}
