/** Withdrawals that an operator lets be paid, or refuses with a reason. */
import { mayOperate } from '@orrery/api';
import type { OperatorSession, WaitingWithdrawal, WithdrawalDecision } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { type Dialogue, openDialog } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import type { AreaProps } from './area.ts';
import { LostDeposits } from './lost-deposits.tsx';

const REASON = { min: 3, max: 200 };

type Decision = Pick<WithdrawalDecision, 'decision' | 'reason'>;

function Worth({ row: { worth } }: { readonly row: WaitingWithdrawal }): ReactElement {
  const text = useText();
  const format = useFormat();
  return worth === null ? <span className="text-fg2">{text('console.withdrawals.noPrice')}</span> : <>{format.number(worth)}</>;
}

/** Every digit of it. */
function Amount({ row: { coin, amount } }: { readonly row: WaitingWithdrawal }): ReactElement {
  const format = useFormat();
  return <>{`${format.number(amount)} ${coin}`}</>;
}

function DecideDialog({ row, resolve, close }: Dialogue<Decision> & { readonly row: WaitingWithdrawal }): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const footer = (
    <>
      <Button size="large" disabled={reason.length < REASON.min} onClick={() => resolve({ decision: 'REFUSED', reason })}>
        {text('console.withdrawals.refuse')}
      </Button>
      <Button kind="primary" size="large" disabled={reason !== ''} onClick={() => resolve({ decision: 'APPROVED' })}>
        {text('console.withdrawals.approve')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title={text('console.withdrawals.decideTitle', { number: row.account })} footer={footer}>
      <div className="-mx-4 mb-3">
        <Facts>
          <Fact term={text('console.withdrawals.amount')}>
            <Amount row={row} />
          </Fact>
          <Fact term={text('console.withdrawals.worth')}>
            <Worth row={row} />
          </Fact>
          <Fact term={text('console.withdrawals.to')}>
            <span className="font-mono text-sm text-balance break-all">{row.to}</span>
          </Fact>
          <Fact term={text('console.withdrawals.cause')}>{text(`console.withdrawals.cause.${row.cause}`)}</Fact>
        </Facts>
      </div>
      <Field
        label={text('console.withdrawals.reason')}
        hint={text('console.withdrawals.reasonHint')}
        maxLength={REASON.max}
        value={typed}
        onChange={setTyped}
      />
    </Dialog>
  );
}

function Decide({ row }: { readonly row: WaitingWithdrawal }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const decide = async (): Promise<void> => {
    const decision = await openDialog(DecideDialog, { row });
    if (decision === undefined) return;
    act(
      () => consoleHttp.call('decideWithdrawal', { body: { withdrawalId: row.withdrawalId, ...decision } }),
      decision.decision === 'APPROVED' ? 'console.withdrawals.approved' : 'console.withdrawals.refused',
    );
  };
  return (
    <Button size="small" busy={busy} onClick={() => void decide()}>
      {text('console.withdrawals.decide')}
    </Button>
  );
}

function useColumns(me: OperatorSession): readonly Column<WaitingWithdrawal>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'since', header: text('console.withdrawals.since'), cell: (row) => format.time(row.waitsSince) },
    { id: 'account', header: text('account.id'), cell: (row) => row.account },
    { id: 'amount', header: text('console.withdrawals.amount'), align: 'end', cell: (row) => <Amount row={row} /> },
    {
      id: 'worth',
      header: text('console.withdrawals.worth'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <Worth row={row} />,
    },
    { id: 'to', header: text('console.withdrawals.to'), wideOnly: true, cell: (row) => <Hash value={row.to} /> },
    {
      id: 'cause',
      header: text('console.withdrawals.cause'),
      wideOnly: true,
      cell: (row) => text(`console.withdrawals.cause.${row.cause}`),
    },
    {
      id: 'decide',
      header: <span className="sr-only">{text('console.withdrawals.decide')}</span>,
      align: 'end',
      cell: (row) => (mayOperate(me.role, 'operator') ? <Decide row={row} /> : null),
    },
  ];
}

export function WithdrawalsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('waitingWithdrawals');
  const list = useList('waitingWithdrawals', page);
  return (
    <Page title={text('console.withdrawals.title')} lead={text('console.withdrawals.lead')}>
      <Section title={text('console.withdrawals.queue')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.withdrawals.queue')}
          columns={useColumns(me)}
          keyOf={(row) => row.withdrawalId}
          empty={text('console.withdrawals.empty')}
        />
      </Section>
      <LostDeposits me={me} />
    </Page>
  );
}
