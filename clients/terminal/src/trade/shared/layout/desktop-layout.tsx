/** From 760 px: panels divided by hairlines, content to the edge. The height of the tables is the person's own. */
import { X } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { Checklist } from '../../../onboarding/checklist.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MarketBar } from '../market/market-bar.tsx';
import { useMarketKind } from '../market-kind.tsx';
import { useTradeSettings } from '../trade-settings.ts';
import { BookPanel } from './book-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { Split } from './split.tsx';
import type { LayoutName } from '../../../ui/use-layout.ts';

type DesktopLayoutName = Exclude<LayoutName, 'phone'>;

const columns: Readonly<Record<DesktopLayoutName, string>> = {
  grand: 'grid-cols-[minmax(0,1fr)_264px_232px]',
  wide: 'grid-cols-[minmax(0,1fr)_264px]',
  medium: 'grid-cols-[minmax(0,1fr)_264px]',
  narrow: 'grid-cols-[minmax(0,1fr)_264px]',
};

function Markets({ layout }: { readonly layout: DesktopLayoutName }): ReactElement {
  return (
    <div className={classes('grid h-full min-h-0 divide-x divide-line', columns[layout])}>
      <ChartPanel />
      <BookPanel {...(layout === 'grand' && { views: ['book'] })} />
      {layout === 'grand' && <BookPanel views={['trades']} />}
    </div>
  );
}

function Stage({ layout }: { readonly layout: DesktopLayoutName }): ReactElement {
  const text = useText();
  const { Tables } = useMarketKind();
  const { tablesHeight, setTablesHeight } = useTradeSettings();
  return (
    <Split
      label={text('trade.resizePanels')}
      upper={<Markets layout={layout} />}
      lower={<Tables />}
      height={tablesHeight}
      onHeight={setTablesHeight}
    />
  );
}

function TicketColumn(): ReactElement {
  const { Ticket, ticket } = useMarketKind();
  return (
    <aside className="flex min-h-0 flex-col divide-y divide-line overflow-y-auto bg-panel">
      <Ticket />
      <Checklist onFirstOrder={ticket.focus} />
    </aside>
  );
}

/** Not modal, and over the chart: the book beside it stays usable, and a price picked there lands in the ticket. */
function TicketDrawer({ onClose }: { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const { Ticket, ticket } = useMarketKind();
  return (
    <aside
      aria-label={text('trade.ticket.title')}
      className="absolute inset-y-0 inset-e-[264px] z-30 flex w-[304px] flex-col overflow-y-auto border-x border-strong bg-panel shadow-pop"
    >
      <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pe-1 ps-2.5">
        <h2 className="text-md font-semibold">{text('trade.ticket.title')}</h2>
        <IconButton label={text('trade.ticket.close')} onClick={onClose} className="size-7">
          <X size={15} />
        </IconButton>
      </div>
      <div className="flex flex-col divide-y divide-line">
        <Ticket />
        <Checklist onFirstOrder={ticket.focus} />
      </div>
    </aside>
  );
}

function DrawerButtons({ onOpen }: { readonly onOpen: () => void }): ReactElement {
  const text = useText();
  const { setSide } = useMarketKind().ticket;
  return (
    <div className="flex shrink-0 gap-1.5">
      {(['buy', 'sell'] as const).map((side) => (
        <Button
          key={side}
          kind={side === 'buy' ? 'up' : 'down'}
          size="small"
          className="w-16"
          onClick={() => {
            setSide(side);
            onOpen();
          }}
        >
          {text(`trade.${side}`)}
        </Button>
      ))}
    </div>
  );
}

export function DesktopLayout({ layout }: { readonly layout: DesktopLayoutName }): ReactElement {
  const [drawer, setDrawer] = useState<'open' | 'closed'>('closed');
  const isNarrow = layout === 'narrow';
  return (
    <main className="flex min-h-[560px] grow flex-col">
      <MarketBar aside={isNarrow && drawer === 'closed' && <DrawerButtons onOpen={() => setDrawer('open')} />} />
      <div
        className={classes('relative grid min-h-0 grow divide-x divide-line', isNarrow ? 'grid-cols-1' : 'grid-cols-[minmax(0,1fr)_304px]')}
      >
        <Stage layout={layout} />
        {!isNarrow && <TicketColumn />}
        {isNarrow && drawer === 'open' && <TicketDrawer onClose={() => setDrawer('closed')} />}
      </div>
    </main>
  );
}
