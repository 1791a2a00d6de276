/** Deposits that left the chain after they were credited: the write-off of one is proposed here, and approved by another operator. */
import { mayOperate, type LostDeposit } from '@orrery/api';
import type { ReactElement } from 'react';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import type { AreaProps } from './area.ts';

const WriteOffDialog = lazyDialog(async () => (await import('./reason-dialogs.tsx')).WriteOffDialog);

const tones = { LOST: 'failed', RETURNING: 'waiting', WRITTEN_OFF: 'neutral' } as const;

function WriteOff({ row }: { readonly row: LostDeposit }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const propose = async (): Promise<void> => {
    const reason = await openDialog(WriteOffDialog, { row });
    if (reason === undefined) return;
    act(() => consoleHttp.call('proposeWriteOff', { body: { key: row.key, reason } }), 'console.proposed');
  };
  return (
    <Button size="small" busy={busy} onClick={() => void propose()}>
      {text('console.lost.writeOff')}
    </Button>
  );
}

/** What follows of it stands below it: a phone has no room beside it. */
function State({ row: { state, paid, coin } }: { readonly row: LostDeposit }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <div className="py-1.5">
      <StateTag tone={tones[state]}>{text(`console.lost.state.${state}`)}</StateTag>
      {state !== 'LOST' && (
        <p className="text-fg3">{text(`console.lost.note.${state}`, { paid: `${format.number(paid ?? '0')} ${coin}` })}</p>
      )}
    </div>
  );
}

function useColumns(me: AreaProps['me']): readonly Column<LostDeposit>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'since',
      header: text('console.lost.since'),
      wideOnly: true,
      cell: ({ since }) => (since === null ? text('console.lost.sinceUnknown') : format.time(since)),
    },
    { id: 'account', header: text('account.id'), cell: (row) => row.account },
    { id: 'amount', header: text('console.lost.amount'), align: 'end', cell: (row) => `${format.number(row.amount)} ${row.coin}` },
    { id: 'suspended', header: text('console.lost.suspended'), align: 'end', wideOnly: true, cell: (row) => format.number(row.suspended) },
    { id: 'transaction', header: text('console.lost.transaction'), wideOnly: true, cell: (row) => <Hash value={row.txHash} /> },
    {
      id: 'state',
      header: text('console.lost.state'),
      cell: (row) => <State row={row} />,
    },
    {
      id: 'writeOff',
      header: <span className="sr-only">{text('console.lost.writeOff')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => (row.state === 'LOST' && mayOperate(me.role, 'operator') ? <WriteOff row={row} /> : null),
    },
  ];
}

export function LostDeposits({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('lostDeposits');
  const list = useList('lostDeposits', page);
  return (
    <Section title={text('console.lost.title')}>
      <p className="px-4 pt-4 pb-2 text-fg2">{text('console.lost.lead')}</p>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.lost.title')}
        columns={useColumns(me)}
        keyOf={(row) => row.key}
        empty={text('console.lost.empty')}
      />
    </Section>
  );
}
