import type { ChainTransactionLine } from '@orrery/api';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { usePageQuery } from '../session/use-page-query.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Pager } from '../ui/pager.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { Table } from '../ui/table.tsx';
import type { Column } from '../ui/table.tsx';
import { AddressLink, BlockLink, TxLink } from './chain-links.tsx';

const POLL_MS = 5_000;

function useColumns(): readonly Column<ChainTransactionLine>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'hash', header: text('explorer.hash'), cell: (row) => <TxLink hash={row.txHash} /> },
    { id: 'block', header: text('explorer.block'), cell: (row) => <BlockLink number={row.blockNumber} /> },
    { id: 'time', header: text('explorer.time'), wideOnly: true, cell: (row) => format.time(row.blockTime * 1000) },
    { id: 'from', header: text('explorer.from'), cell: (row) => <AddressLink address={row.from} /> },
    {
      id: 'to',
      header: text('explorer.to'),
      wideOnly: true,
      cell: (row) => (row.to === null ? text('explorer.created') : <AddressLink address={row.to} />),
    },
    { id: 'value', header: `${text('explorer.value')} SOSO`, align: 'end', wideOnly: true, cell: (row) => format.number(row.value) },
    {
      id: 'status',
      header: text('explorer.status'),
      align: 'end',
      cell: (row) => <StateTag tone={row.status === 'success' ? 'done' : 'failed'}>{text(`explorer.status.${row.status}`)}</StateTag>,
    },
  ];
}

/** The newest chain transactions, of one address or of all. */
export function TransactionTable({ address }: { readonly address?: string }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const { rows, updating, failed, retry, pager } = usePageQuery<ChainTransactionLine>({
    key: ['chainTransactions', address],
    load: (page) => http.load('chainTransactions', { query: { ...page, ...(address !== undefined && { address }) }, ignoreToken: true }),
    pollMs: POLL_MS,
    of: 'everybody',
  });
  return (
    <>
      <Table
        label={text('explorer.transactions')}
        columns={columns}
        rows={rows}
        updating={updating}
        keyOf={(row) => row.txHash}
        failed={failed}
        onRetry={retry}
        empty={text('explorer.noTransactions')}
        skeletonRows={10}
      />
      <Pager {...pager} />
    </>
  );
}
