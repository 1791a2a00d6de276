/** Addresses that may not take part. */
import { mayOperate, type BlockedAddress } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { ErasureForm } from './erasure-form.tsx';

function useColumns(): readonly Column<BlockedAddress>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'address', header: text('console.address'), cell: (row) => <Hash value={row.address} /> },
    { id: 'by', header: text('console.by'), cell: (row) => row.blockedBy ?? text('console.blocked.byInstallation') },
    {
      id: 'reason',
      header: text('console.reason'),
      cell: (row) => <div className="min-w-[20ch] py-1.5 whitespace-normal">{row.reason}</div>,
    },
    { id: 'at', header: text('console.at'), wideOnly: true, cell: (row) => (row.at === null ? UNKNOWN : format.time(row.at)) },
  ];
}

export function BlockedArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('blocked');
  const [address, setAddress] = useState('');
  const [reason, setReason] = useState('');
  const { busy, act } = useAct();
  const list = useList('blockedAddresses', page);
  const mayBlock = mayOperate(me.role, 'operator');
  const body = { address: address.trim(), reason: reason.trim() };
  const isComplete = body.address !== '' && body.reason.length >= 3;
  const clear = (): void => {
    setAddress('');
    setReason('');
  };
  const block = (event: FormEvent): void => {
    event.preventDefault();
    act(() => consoleHttp.call('blockAddress', { body }).then(clear), 'console.blocked.done');
  };
  const unblock = (): void => act(() => consoleHttp.call('unblockAddress', { body }).then(clear), 'console.blocked.undone');
  const columns = useColumns();
  return (
    <Page title={text('console.blocked.title')} lead={text('console.blocked.lead')}>
      {mayBlock && (
        <Section title={text('console.blocked.change')}>
          <form onSubmit={block} className="flex flex-wrap items-end gap-3 p-4">
            <Field className="grow" label={text('console.address')} value={address} onChange={setAddress} />
            <Field className="grow" label={text('console.reason')} maxLength={200} value={reason} onChange={setReason} />
            <div className="flex gap-3">
              <Button type="submit" kind="danger" busy={busy} disabled={!isComplete}>
                {text('console.blocked.block')}
              </Button>
              <Button busy={busy} disabled={!isComplete} onClick={unblock}>
                {text('console.blocked.unblock')}
              </Button>
            </div>
          </form>
        </Section>
      )}
      <Section title={text('console.blocked.title')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.blocked.title')}
          columns={columns}
          keyOf={(row) => row.address}
          empty={text('console.blocked.empty')}
        />
      </Section>
      {mayBlock && <ErasureForm />}
    </Page>
  );
}
