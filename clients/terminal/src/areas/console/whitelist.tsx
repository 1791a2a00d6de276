/** Who waits for the whitelist, and letting somebody in by hand. */
import { mayOperate, type Waiting } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { PersonCell } from './person-cell.tsx';

const addressesOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '');

function useColumns(admit: ((waitingId: number) => void) | undefined): readonly Column<Waiting>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'person',
      header: text('console.whitelist.person'),
      cell: (row) => <PersonCell kind="WAITING" id={row.waitingId} address={row.address} email={row.email} mayShow={admit !== undefined} />,
    },
    { id: 'since', header: text('console.whitelist.since'), cell: (row) => format.time(row.joinedAt) },
    {
      id: 'admit',
      header: <span className="sr-only">{text('console.whitelist.admit')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) =>
        admit !== undefined && (
          <Button size="small" onClick={() => admit(row.waitingId)}>
            {text('console.whitelist.admit')}
          </Button>
        ),
    },
  ];
}

export function WhitelistArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('whitelist');
  const [typed, setTyped] = useState('');
  const { busy, act } = useAct();
  const list = useList('waitingList', page);
  const mayAdmit = mayOperate(me.role, 'operator');
  const admit = (addresses: string[]): void =>
    act(async () => {
      await consoleHttp.call('admit', { body: { addresses } });
      setTyped('');
    }, 'console.whitelist.admitted');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    admit(addressesOf(typed));
  };
  const admitWaiting = (waitingId: number): void =>
    act(() => consoleHttp.call('admitWaiting', { body: { waitingIds: [waitingId] } }), 'console.whitelist.admitted');
  const columns = useColumns(mayAdmit ? admitWaiting : undefined);
  return (
    <Page title={text('console.whitelist.title')} lead={text('console.whitelist.lead')}>
      {mayAdmit && (
        <Section title={text('console.whitelist.byHand')}>
          <form onSubmit={submit} className="flex flex-wrap items-end gap-3 p-4">
            <Field className="grow" label={text('console.whitelist.addresses')} value={typed} onChange={setTyped} />
            <Button type="submit" kind="primary" busy={busy} disabled={addressesOf(typed).length === 0}>
              {text('console.whitelist.admit')}
            </Button>
          </form>
        </Section>
      )}
      <Section title={text('console.whitelist.waiting')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.whitelist.waiting')}
          columns={columns}
          keyOf={(row) => String(row.waitingId)}
          empty={text('console.whitelist.empty')}
        />
      </Section>
    </Page>
  );
}
