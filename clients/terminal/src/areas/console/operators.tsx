/** Who the operators are; admins invite, propose another role, or end somebody. */
import { OPERATOR_ROLES, type OperatorEntry, type OperatorRole, type Proposal } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { consoleHttp, useAct, useWhole } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { mapped } from '../../kit/ui/loaded.ts';

interface Invited {
  readonly code: string;
  readonly name: string;
  readonly proposal: Proposal;
}

function InviteForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [name, setName] = useState('');
  const [role, setRole] = useState<OperatorRole>('operator');
  const [invited, setInvited] = useState<Invited>();
  const format = useFormat();
  const invite = (event: FormEvent): void => {
    event.preventDefault();
    act(async () => {
      const { code, proposal } = await consoleHttp.call('inviteOperator', { body: { name: name.trim(), role } });
      setInvited({ code, proposal, name: name.trim() });
      setName('');
    }, 'console.operators.invited');
  };
  return (
    <form onSubmit={invite} className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <Field className="grow" label={text('console.name')} maxLength={32} value={name} onChange={setName} />
        <SelectField
          label={text('console.role')}
          value={role}
          choices={OPERATOR_ROLES.map((value) => ({ value, label: text(`console.role.${value}`) }))}
          onChange={setRole}
        />
        <Button type="submit" kind="primary" busy={busy} disabled={name.trim().length < 2}>
          {text('console.operators.invite')}
        </Button>
      </div>
      {invited !== undefined && (
        <Notice tone="ok">
          {text(`console.operators.code.${invited.proposal.state === 'WAITING' ? 'WAITING' : 'APPROVED'}`, { name: invited.name })}{' '}
          {invited.proposal.effectiveAt !== null && `(${format.time(invited.proposal.effectiveAt)}) `}
          <code className="font-mono">{invited.code}</code>
          <CopyButton value={invited.code} />
        </Notice>
      )}
    </form>
  );
}

function Change({ entry }: { readonly entry: OperatorEntry }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const { operatorId, name } = entry;
  const propose = (role: OperatorRole): void =>
    act(() => consoleHttp.call('proposeRole', { body: { operatorId, role } }), 'console.proposed');
  const reviews = entry.rights.includes('reviewer');
  const body = { operatorId, right: 'reviewer' } as const;
  const changeRight = (): void =>
    reviews
      ? act(() => consoleHttp.call('endRight', { body }), 'console.operators.reviewEnded')
      : act(() => consoleHttp.call('proposeRight', { body }), 'console.proposed');
  const end = async (): Promise<void> => {
    const title = text('console.operators.endTitle', { name });
    const sure = await openDialog(ConfirmDialog, {
      title,
      lead: text('console.operators.endLead'),
      action: text('console.operators.end'),
    });
    if (sure === true) act(() => consoleHttp.call('endOperator', { body: { operatorId } }), 'console.operators.gone');
  };
  return (
    <span className="inline-flex items-center gap-2 py-1 max-tablet:flex-col max-tablet:items-stretch max-tablet:gap-1.5">
      <Select
        size="small"
        label={text('console.operators.roleOf', { name })}
        value={entry.role}
        choices={OPERATOR_ROLES.map((value) => ({ value, label: text(`console.role.${value}`) }))}
        onChange={propose}
      />
      <Button size="small" busy={busy} onClick={changeRight}>
        {text(reviews ? 'console.operators.endReview' : 'console.operators.letReview')}
      </Button>
      <Button size="small" kind="danger" busy={busy} onClick={() => void end()}>
        {text('console.operators.end')}
      </Button>
    </span>
  );
}

function roleOf({ role, rights }: OperatorEntry, text: ReturnType<typeof useText>): string {
  const name = text(`console.role.${role}`);
  return rights.includes('reviewer') ? text('console.operators.reviews', { role: name }) : name;
}

function useColumns(me: AreaProps['me']): readonly Column<OperatorEntry>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'name', header: text('console.name'), cell: (row) => row.name },
    { id: 'role', header: text('console.role'), cell: (row) => roleOf(row, text) },
    { id: 'since', header: text('console.operators.since'), wideOnly: true, cell: (row) => format.time(row.createdAt) },
    {
      id: 'state',
      header: text('console.state'),
      cell: (row) => (
        <StateTag tone={row.endedAt === null ? 'done' : 'neutral'}>
          {text(row.endedAt === null ? 'console.operators.active' : 'console.operators.ended')}
        </StateTag>
      ),
    },
    {
      id: 'change',
      header: <span className="sr-only">{text('console.operators.end')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => me.role === 'admin' && row.endedAt === null && <Change entry={row} />,
    },
  ];
}

export function OperatorsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const read = useWhole('operators');
  const columns = useColumns(me);
  return (
    <Page title={text('console.operators.title')} lead={text('console.operators.lead')}>
      {me.role === 'admin' && (
        <Section title={text('console.operators.inviteTitle')}>
          <InviteForm />
        </Section>
      )}
      <Section title={text('console.operators.title')}>
        <Table
          label={text('console.operators.title')}
          columns={columns}
          read={mapped(read, ({ list }) => list)}
          keyOf={(row) => row.operatorId}
          empty={text('console.operators.empty')}
        />
      </Section>
    </Page>
  );
}
