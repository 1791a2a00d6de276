import type { ChainTransactionLine } from '@orrery/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { firstPage, Pager } from '../ui/pager.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import { Table } from '../ui/table.tsx';
import type { Column } from '../ui/table.tsx';
import { AddressLink, BlockLink, TxLink } from './chain-links.tsx';

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
  const [page, setPage] = useState(firstPage);
  const { data, isError, refetch } = useQuery({
    queryKey: ['chainTransactions', address, page],
    queryFn: () => http.load('chainTransactions', { query: { ...page, ...(address !== undefined && { address }) }, ignoreToken: true }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  return (
    <>
      <Table
        label={text('explorer.transactions')}
        columns={columns}
        rows={data?.list}
        keyOf={(row) => row.txHash}
        failed={isError}
        onRetry={() => void refetch()}
        empty={text('explorer.noTransactions')}
        skeletonRows={10}
      />
      <Pager {...page} total={data?.total} onChange={setPage} />
    </>
  );
}
