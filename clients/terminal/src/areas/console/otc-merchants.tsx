/** Applications of merchants: approved, or refused with a reason that the person reads. */
import { mayOperate } from '@orrery/api';
import type { OtcApplication, OtcMerchantState } from '@orrery/api';
import type { ReactElement } from 'react';
import { say, useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';

const RefuseDialog = lazyDialog(async () => (await import('./otc-refuse-dialog.tsx')).RefuseDialog);

const tones = {
  NONE: 'neutral',
  WAITING: 'waiting',
  APPROVED: 'done',
  REFUSED: 'failed',
  LEFT: 'neutral',
} as const satisfies Record<OtcMerchantState, StateTone>;

interface RowProps {
  readonly row: OtcApplication;
}

function Decide({ row: { traderId, name, state } }: RowProps): ReactElement | null {
  const text = useText();
  const { busy, act } = useAct();
  const approve = async (): Promise<void> => {
    const question = {
      title: say('console.otc.approveTitle', { name }),
      lead: say('console.otc.approveLead'),
      action: say('console.otc.approve'),
      kind: 'primary' as const,
    };
    if ((await openDialog(ConfirmDialog, question)) !== true) return;
    act(() => consoleHttp.call('decideOtcMerchant', { body: { traderId, decision: 'APPROVED' } }), 'console.otc.approved');
  };
  const refuse = async (): Promise<void> => {
    const reason = await openDialog(RefuseDialog, { name });
    if (reason === undefined) return;
    act(() => consoleHttp.call('decideOtcMerchant', { body: { traderId, decision: 'REFUSED', reason } }), 'console.otc.refused');
  };
  if (state !== 'WAITING' && state !== 'APPROVED') return null;
  return (
    <span role="group" aria-label={name} className="inline-flex gap-2">
      {state === 'WAITING' && (
        <Button size="small" kind="primary" busy={busy} onClick={() => void approve()}>
          {text('console.otc.approve')}
        </Button>
      )}
      <Button size="small" busy={busy} onClick={() => void refuse()}>
        {text(state === 'WAITING' ? 'console.otc.refuse' : 'console.otc.end')}
      </Button>
    </span>
  );
}

function useColumns(me: AreaProps['me']): readonly Column<OtcApplication>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'name',
      header: text('console.otc.name'),
      cell: ({ name, account, appliedTime }) => (
        <span className="flex flex-col py-1.5">
          <span className="font-semibold">{name}</span>
          <span className="text-fg3">{`${text('account.id')} ${account}, ${format.time(appliedTime)}`}</span>
        </span>
      ),
    },
    {
      id: 'text',
      header: text('console.otc.said'),
      wideOnly: true,
      cell: ({ text: said }) => (
        <span className="block max-w-[44ch] py-1.5 break-words whitespace-pre-line">{said ?? text('console.otc.deleted')}</span>
      ),
    },
    {
      id: 'facts',
      header: text('console.otc.facts'),
      wideOnly: true,
      cell: ({ deposit, verified, finished }) => (
        <span className="flex flex-col py-1.5">
          <span>{text('console.otc.depositOf', { deposit: format.number(deposit) })}</span>
          <span className="text-fg3">
            {`${text(verified ? 'console.otc.isVerified' : 'console.otc.notVerified')}, ${text('console.otc.orders', { count: finished })}`}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: text('console.state'),
      cell: ({ state }) => <StateTag tone={tones[state]}>{text(`console.otc.merchant.${state}`)}</StateTag>,
    },
    {
      id: 'decide',
      header: <span className="sr-only">{text('console.otc.approve')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => (mayOperate(me.role, 'operator') ? <Decide row={row} /> : null),
    },
  ];
}

export function Applications({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('applications');
  const list = useList('otcApplications', page);
  return (
    <Section title={text('console.otc.applications')}>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.otc.applications')}
        columns={useColumns(me)}
        keyOf={(row) => row.traderId}
        empty={text('console.otc.noApplications')}
      />
    </Section>
  );
}
