/** Before the markets are known: the geometry of the page as the person arranged it, so that nothing jumps when they come. */
import type { ReactElement } from 'react';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { useLayout } from '../../../kit/ui/use-layout.ts';
import { BOUNDS, columnsInView } from './arrangement.ts';
import type { Column, WideLayoutName } from './arrangement.ts';
import { useArrangement } from './layout-memory.ts';

const BARS: Readonly<Record<Column, { readonly count: number; readonly look: string }>> = {
  markets: { count: 12, look: 'w-full' },
  book: { count: 18, look: 'w-full' },
  trades: { count: 18, look: 'w-full' },
  ticket: { count: 6, look: 'h-8 w-full' },
};

function LoadingColumn({ column, width }: { readonly column: Column; readonly width: number }): ReactElement {
  const { count, look } = BARS[column];
  return (
    <div
      data-column={column}
      style={{ flexBasis: `${width}px`, minWidth: `${BOUNDS[column].least}px` }}
      className="flex shrink flex-col gap-3 overflow-hidden bg-panel p-3"
    >
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} className={`shrink-0 ${look}`} />
      ))}
    </div>
  );
}

/** As the stage of the page: the ticket beside chart and tables, the other columns beside the chart alone. */
function LoadingStage({ layout }: { readonly layout: WideLayoutName }): ReactElement {
  const arrangement = useArrangement(layout);
  const columns = (side: 'before' | 'after', isTicket: boolean): ReactElement[] =>
    columnsInView(arrangement, side, layout)
      .filter((column) => (column === 'ticket') === isTicket)
      .map((column) => <LoadingColumn key={column} column={column} width={arrangement.widths[column]} />);
  return (
    <div className="relative min-h-0 grow">
      <div className="absolute inset-0 flex gap-px bg-line">
        {columns('before', true)}
        <div className="flex min-w-[320px] flex-1 flex-col gap-px">
          <div className="flex min-h-[240px] flex-1 gap-px">
            {columns('before', false)}
            <div className="min-w-[320px] flex-1 bg-panel" />
            {columns('after', false)}
          </div>
          {!arrangement.hidden.includes('tables') && (
            <div style={{ flexBasis: `${arrangement.tables}px` }} className="min-h-[120px] shrink bg-panel" />
          )}
        </div>
        {columns('after', true)}
      </div>
    </div>
  );
}

export function LoadingLayout({ pair }: { readonly pair: string }): ReactElement {
  const layout = useLayout();
  return (
    <main aria-busy="true" className="flex min-h-[560px] grow flex-col">
      <div className="flex h-12 shrink-0 items-center gap-6 border-b border-line bg-page px-4">
        <h1 className="text-lg font-semibold">{pair}</h1>
        <Skeleton className="h-4 w-24" />
        <Skeleton className="w-16" />
        <Skeleton className="w-16" />
        <Skeleton className="w-16" />
      </div>
      {layout === 'phone' ? <div className="grow bg-panel" /> : <LoadingStage layout={layout} />}
    </main>
  );
}
