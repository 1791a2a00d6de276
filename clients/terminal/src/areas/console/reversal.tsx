/** Awards of an address, and taking one of them back: proposed here, approved by another operator. */
import type { GivenAward } from '@orrery/api';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { firstPage } from '../../kit/ui/pager.tsx';
import { consoleHttp, pageOf, useAct, useAwardsOf } from '../../platform/data/operators.ts';

export interface ReversalFormProps {
  /** The key of the award. */
  readonly award: string;
  readonly onAward: (key: string) => void;
}

export function ReversalForm({ award, onAward }: ReversalFormProps): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // Filled from elsewhere on the page: what is left to say is why.
  useEffect(() => {
    if (award === '') return;
    form.current?.scrollIntoView({ block: 'center' });
    const fields = form.current?.querySelectorAll('input');
    if (fields?.[0] !== document.activeElement) fields?.[1]?.focus();
  }, [award]);
  const propose = (event: FormEvent): void => {
    event.preventDefault();
    act(async () => {
      await consoleHttp.call('proposeReversal', { body: { key: award.trim(), reason: reason.trim() } });
      onAward('');
      setReason('');
    }, 'console.proposed');
  };
  return (
    <form ref={form} onSubmit={propose} className="flex flex-col gap-3 p-4">
      <div className="grid items-start gap-3 tablet:grid-cols-2">
        <Field label={text('console.rewards.key')} value={award} onChange={onAward} />
        <Field label={text('console.reason')} maxLength={200} value={reason} onChange={setReason} />
      </div>
      <Button type="submit" kind="danger" className="self-start" busy={busy} disabled={award.trim().length < 3 || reason.trim().length < 3}>
        {text('console.rewards.proposeReversal')}
      </Button>
    </form>
  );
}

function useColumns(onTakeBack: (key: string) => void): readonly Column<GivenAward>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.at) },
    { id: 'name', header: text('console.name'), cell: (row) => row.name },
    { id: 'points', header: text('console.rewards.howMany'), align: 'end', cell: (row) => row.points },
    { id: 'key', header: text('console.rewards.key'), wideOnly: true, cell: (row) => <code className="font-mono text-sm">{row.key}</code> },
    {
      id: 'back',
      header: <span className="sr-only">{text('console.rewards.reverse')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) =>
        row.points > 0 && (
          <Button size="small" onClick={() => onTakeBack(row.key)}>
            {text('console.rewards.reverse')}
          </Button>
        ),
    },
  ];
}

export function AwardsOf({ onTakeBack }: { readonly onTakeBack: (key: string) => void }): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [address, setAddress] = useState<string>();
  const [page, setPage] = useState(firstPage);
  const list = useAwardsOf(address, page);
  const columns = useColumns(onTakeBack);
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(typed.trim());
  const lookUp = (event: FormEvent): void => {
    event.preventDefault();
    setAddress(typed.trim());
    setPage(firstPage);
  };
  const wrong = typed.trim() === '' || isAddress ? undefined : text('console.wrong.address');
  return (
    <Section title={text('console.rewards.awardsOf')}>
      <form onSubmit={lookUp} className="flex flex-col gap-3 p-4">
        <Field label={text('console.address')} value={typed} error={wrong} onChange={setTyped} />
        <Button type="submit" className="self-start" disabled={!isAddress}>
          {text('console.rewards.lookUp')}
        </Button>
      </form>
      {address !== undefined && (
        <>
          <PagedTable
            query={pageOf(list, { page, onChange: setPage })}
            label={text('console.rewards.awardsOf')}
            columns={columns}
            keyOf={(row) => row.key}
            empty={text('console.rewards.noAwards')}
          />
        </>
      )}
    </Section>
  );
}
