/** From 760 px: panels divided by hairlines, content to the edge. Which panels stand where, and how large they are, is the person's own. */
import { Fragment, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { stepNames } from '../../../areas/onboarding/steps.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { MarketBar } from '../market/market-bar.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { arrangementOf, BOUNDS, columnsInView, hasRoomFor, withWidth } from './arrangement.ts';
import type { Arrangement, Column, WideLayoutName } from './arrangement.ts';
import { BookPanel } from './book-panel.tsx';
import { ChartPanel, Depth } from './chart-panel.tsx';
import { Divider } from './divider.tsx';
import { useLayoutActions } from './layout-actions.ts';
import { useArrangement, useLayoutMemory } from './layout-memory.ts';
import { Split } from './split.tsx';
import { earlyPart } from '../../../kit/ui/early-part.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';

const TicketDrawer = lazyPart(async () => (await import('./ticket-drawer.tsx')).TicketDrawer);
const LayoutMenu = lazyPart(async () => (await import('./layout-menu.tsx')).LayoutMenu);
const MarketsPanel = lazyPart(async () => (await import('./markets-panel.tsx')).MarketsPanel);

/** Nobody waits for it to trade, and to a newcomer it is the first thing to read. */
const Checklist = earlyPart(async () => (await import('../../../areas/onboarding/checklist.tsx')).Checklist);

function TicketColumn(): ReactElement {
  const { Ticket, Summary, Account, Practice, ticket } = useMarketKind();
  return (
    <aside className="flex h-full min-h-0 flex-col divide-y divide-line overflow-y-auto bg-panel">
      <Panel>
        <Ticket />
      </Panel>
      {Account !== undefined && (
        <Panel>
          <Account />
        </Panel>
      )}
      <Panel>
        <Checklist onFirstOrder={ticket.focus} onPage={stepNames} />
      </Panel>
      {[Summary, Practice].map(
        (Part, at) =>
          Part !== undefined && (
            <Panel key={at}>
              <Part />
            </Panel>
          ),
      )}
    </aside>
  );
}

function PanelOf({ column, layout }: { readonly column: Column; readonly layout: WideLayoutName }): ReactElement {
  switch (column) {
    case 'markets':
      return (
        <Panel loading={<div className="h-full bg-panel" />}>
          <MarketsPanel />
        </Panel>
      );
    case 'book':
      return <BookPanel {...(hasRoomFor(layout, 'trades') && { views: ['book'] })} />;
    case 'trades':
      return <BookPanel views={['trades']} />;
    case 'ticket':
      return <TicketColumn />;
  }
}

interface SizedProps {
  readonly layout: WideLayoutName;
  readonly column: Column;
  readonly side: 'before' | 'after';
}

/** A column with the line at its edge towards the chart. */
function SizedColumn({ layout, column, side }: SizedProps): ReactElement {
  const text = useText();
  const arrangement = useArrangement(layout);
  const arrange = useLayoutMemory((memory) => memory.arrange);
  const [moved, setMoved] = useState<number>();
  const width = moved ?? arrangement.widths[column];
  const done = (next: number): void => {
    setMoved(undefined);
    arrange(layout, withWidth(arrangement, column, next));
  };
  const line = (
    <Divider
      label={text('layout.resize', { panel: text(`layout.panel.${column}`) })}
      axis="x"
      grows={side === 'before' ? 'forward' : 'backward'}
      size={width}
      {...BOUNDS[column]}
      onMove={setMoved}
      onDone={done}
      onReset={() => done(arrangementOf(arrangement.preset, layout).widths[column])}
    />
  );
  return (
    <>
      {side === 'after' && line}
      {/* In a window too small for all of them the columns give way before the chart does. */}
      <div style={{ flexBasis: `${width}px`, minWidth: `${BOUNDS[column].least}px` }} className="min-h-0 shrink">
        <PanelOf column={column} layout={layout} />
      </div>
      {side === 'before' && line}
    </>
  );
}

/** A row of panels around its middle, which takes what they leave. */
function Columns({ layout, columns, children }: ColumnsProps): ReactElement {
  const sized = (side: 'before' | 'after'): ReactNode =>
    columns[side].map((column) => (
      <Fragment key={column}>
        <SizedColumn layout={layout} column={column} side={side} />
      </Fragment>
    ));
  return (
    <div className="flex h-full min-h-0 min-w-0">
      {sized('before')}
      <div className="min-h-0 min-w-[320px] flex-1">{children}</div>
      {sized('after')}
    </div>
  );
}

type Sides = Readonly<Record<'before' | 'after', readonly Column[]>>;

interface ColumnsProps {
  readonly layout: WideLayoutName;
  readonly columns: Sides;
  readonly children: ReactNode;
}

function sidesOf(arrangement: Arrangement, layout: WideLayoutName, isWanted: (column: Column) => boolean): Sides {
  const of = (side: 'before' | 'after'): readonly Column[] => columnsInView(arrangement, side, layout).filter(isWanted);
  return { before: of('before'), after: of('after') };
}

/** On the widest windows the depth stands beside the tables. */
function LowerPanels({ layout }: { readonly layout: WideLayoutName }): ReactElement {
  const text = useText();
  const { Tables: Loaded } = useMarketKind();
  const tables = (
    <Panel loading={<div className="h-full bg-panel" />}>
      <Loaded />
    </Panel>
  );
  if (layout !== 'vast') return tables;
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)_minmax(360px,28%)] divide-x divide-line">
      {tables}
      <Tabs
        tabs={[{ id: 'depth', label: text('trade.tab.depth') }]}
        value="depth"
        onChange={() => undefined}
        label={text('trade.tab.depth')}
        className="h-full"
      >
        <TabPanel id="depth" className="flex min-w-0 flex-col">
          <Depth />
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** The ticket stands beside chart and tables, the other columns beside the chart alone. */
function Stage({ layout }: { readonly layout: WideLayoutName }): ReactElement {
  const text = useText();
  const arrangement = useArrangement(layout);
  const arrange = useLayoutMemory((memory) => memory.arrange);
  const upper = (
    <Columns layout={layout} columns={sidesOf(arrangement, layout, (column) => column !== 'ticket')}>
      <ChartPanel />
    </Columns>
  );
  return (
    <Columns layout={layout} columns={sidesOf(arrangement, layout, (column) => column === 'ticket')}>
      {arrangement.hidden.includes('tables') ? (
        upper
      ) : (
        <Split
          label={text('trade.resizePanels')}
          upper={upper}
          lower={<LowerPanels layout={layout} />}
          height={arrangement.tables}
          usual={arrangementOf(arrangement.preset, layout).tables}
          onHeight={(tables) => arrange(layout, { ...arrangement, tables })}
        />
      )}
    </Columns>
  );
}

function DrawerButtons({ onOpen }: { readonly onOpen: () => void }): ReactElement {
  const text = useText();
  const { begin } = useMarketKind().ticket;
  const { symbol } = useMarket();
  return (
    <div className="flex shrink-0 gap-1.5">
      {(['buy', 'sell'] as const).map((side) => (
        <Button
          key={side}
          kind={side === 'buy' ? 'up' : 'down'}
          size="small"
          className="w-16"
          onClick={() => {
            begin(symbol, side);
            onOpen();
          }}
        >
          {text(`trade.${side}`)}
        </Button>
      ))}
    </div>
  );
}

export function DesktopLayout({ layout }: { readonly layout: WideLayoutName }): ReactElement {
  const [drawer, setDrawer] = useState<'open' | 'closed'>('closed');
  const isNarrow = layout === 'narrow';
  useLayoutActions(layout);
  const aside = (
    <>
      <Panel room="line" loading={<span className="size-7" />}>
        <LayoutMenu />
      </Panel>
      {isNarrow && drawer === 'closed' && <DrawerButtons onOpen={() => setDrawer('open')} />}
    </>
  );
  return (
    <main className="flex min-h-[560px] grow flex-col">
      <Panel room="line">
        <MarketBar aside={aside} />
      </Panel>
      <div className="relative min-h-0 grow">
        <div className="absolute inset-0">
          <Stage layout={layout} />
        </div>
        {isNarrow && drawer === 'open' && (
          <Panel>
            <TicketDrawer onClose={() => setDrawer('closed')} />
          </Panel>
        )}
      </div>
    </main>
  );
}
