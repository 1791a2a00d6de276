/** The lucky blocks of somebody or of everybody: a table on a desk, a list of cards on a phone. */
import type { LuckyBlock } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { BlockLink, TxLink } from '../explorer/chain-links.tsx';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { formatTime } from '../../kit/format/time.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { useLayout } from '../../kit/ui/use-layout.ts';
import type { PageOf } from '../../kit/ui/paged-table.tsx';
import { Pager } from '../../kit/ui/pager.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Table, dimmedWhile } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { BlockHashLink } from './block-hash-link.tsx';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const keyOf = (row: LuckyBlock): string => row.blockHash;

function useClock(): (seconds: number) => string {
  const zone = useSettings((settings) => settings.timeZone);
  return (seconds) => formatTime(seconds * 1000, { zone, separator: '/' });
}

/** A lucky block may be empty: then nobody was first in it. */
function FirstTransaction({ hash }: { readonly hash: string | null }): ReactElement {
  return hash === null ? <>{UNKNOWN}</> : <TxLink hash={hash} />;
}

const decisions: Readonly<Record<LuckyBlock['decision'], { readonly label: MessageId; readonly tone: StateTone }>> = {
  PAID: { label: 'lucky.paid', tone: 'done' },
  WAITING: { label: 'lucky.waiting', tone: 'waiting' },
  REFUSED: { label: 'lucky.refused', tone: 'failed' },
  REORGED: { label: 'lucky.reorged', tone: 'failed' },
};

/** What was decided about a block, and why; everybody may know. */
function Decision({ row }: { readonly row: LuckyBlock }): ReactElement {
  const text = useText();
  const { label, tone } = decisions[row.decision];
  return (
    <span className="text-sm text-fg2">
      <StateTag tone={tone}>{text(label)}</StateTag>
      {row.reason !== '' && <span className="whitespace-normal">: {row.reason}</span>}
    </span>
  );
}

function useColumns(): readonly Column<LuckyBlock>[] {
  const text = useText();
  const clock = useClock();
  return [
    {
      id: 'block',
      header: text('lucky.block'),
      cell: (row) => (
        <span className="flex items-baseline gap-3">
          <BlockLink number={row.blockId} />
          <Decision row={row} />
        </span>
      ),
    },
    { id: 'blockHash', header: text('lucky.blockHash'), cell: (row) => <BlockHashLink number={row.blockId} hash={row.blockHash} /> },
    { id: 'txHash', header: text('lucky.txHash'), cell: (row) => <FirstTransaction hash={row.txHash} /> },
    { id: 'time', header: text('lucky.time'), align: 'end', cell: (row) => clock(row.blockTime) },
  ];
}

function Pair({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Card({ row }: { readonly row: LuckyBlock }): ReactElement {
  const text = useText();
  const clock = useClock();
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        <Pair term={text('lucky.block')}>
          <BlockLink number={row.blockId} />
        </Pair>
        <Pair term={text('lucky.time')}>{clock(row.createdTime)}</Pair>
        <Pair term={text('lucky.blockHash')}>
          <BlockHashLink number={row.blockId} hash={row.blockHash} />
        </Pair>
        <Pair term={text('lucky.txHash')}>
          <FirstTransaction hash={row.txHash} />
        </Pair>
      </dl>
      <p className="mt-2">
        <Decision row={row} />
      </p>
    </li>
  );
}

function LoadingCards(): ReactElement {
  return (
    <div aria-busy="true" className="flex flex-col">
      {[1, 2, 3].map((place) => (
        <div key={place} className="grid grid-cols-2 gap-x-4 gap-y-4 border-b border-line px-4 py-4 last:border-0">
          <Skeleton />
          <Skeleton className="w-28" />
          <Skeleton className="w-24" />
          <Skeleton className="w-24" />
        </div>
      ))}
    </div>
  );
}

type Shown = Pick<PageOf<LuckyBlock>, 'read' | 'updating'>;

function Cards({ read, updating }: Shown): ReactElement {
  const text = useText();
  return (
    <LoadedPanel read={read} loading={<LoadingCards />}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState>{text('lucky.empty')}</EmptyState>
        ) : (
          <ul aria-label={text('lucky.records')} aria-busy={updating} className={dimmedWhile(updating)}>
            {rows.map((row) => (
              <Card key={keyOf(row)} row={row} />
            ))}
          </ul>
        )
      }
    </LoadedPanel>
  );
}

function Rows({ read, updating }: Shown): ReactElement {
  const text = useText();
  const columns = useColumns();
  return (
    <Table
      label={text('lucky.records')}
      columns={columns}
      read={read}
      updating={updating}
      keyOf={keyOf}
      empty={text('lucky.empty')}
      striped
    />
  );
}

export function LuckyRecords({ records }: { readonly records: PageOf<LuckyBlock> }): ReactElement {
  const isPhone = useLayout() === 'phone';
  return (
    <>
      {isPhone ? <Cards {...records} /> : <Rows {...records} />}
      <Pager {...records.pager} />
    </>
  );
}
