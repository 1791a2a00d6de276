import type { ChainTransactionLine } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { AddressLink, BlockLink, TxLink } from './chain-links.tsx';
import { Method } from './method.tsx';

const POLL_MS = 10_000;

function useColumns(of: 'chain' | 'block'): readonly Column<ChainTransactionLine>[] {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const block: Column<ChainTransactionLine> = {
    id: 'block',
    header: text('explorer.block'),
    wideOnly: true,
    cell: (row) => <BlockLink number={row.blockNumber} />,
  };
  return [
    { id: 'hash', header: text('explorer.hash'), cell: (row) => <TxLink hash={row.txHash} /> },
    { id: 'method', header: text('explorer.method'), cell: (row) => <Method line={row} /> },
    ...(of === 'block' ? [] : [block]),
    {
      id: 'age',
      header: text('explorer.age'),
      wideOnly: true,
      cell: (row) => <span title={format.time(row.blockTime * 1000)}>{formatSpan(now - row.blockTime * 1000)}</span>,
    },
    { id: 'from', header: text('explorer.from'), wideOnly: true, cell: (row) => <AddressLink address={row.from} /> },
    {
      id: 'to',
      header: text('explorer.to'),
      wideOnly: true,
      cell: (row) => (row.to === null ? text('explorer.created') : <AddressLink address={row.to} />),
    },
    {
      id: 'value',
      header: `${text('explorer.value')} SOSO`,
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: (row) => format.number(row.value),
    },
    {
      id: 'status',
      header: text('explorer.status'),
      align: 'end',
      cell: (row) => <StateTag tone={row.status === 'success' ? 'done' : 'failed'}>{text(`explorer.status.${row.status}`)}</StateTag>,
    },
  ];
}

interface TransactionTableProps {
  readonly address?: string;
  readonly block?: number;
}

/** The newest chain transactions: of one address, of one block, or of all. */
export function TransactionTable({ address, block }: TransactionTableProps): ReactElement {
  const text = useText();
  const columns = useColumns(block === undefined ? 'chain' : 'block');
  const query = usePageQuery<ChainTransactionLine>({
    key: ['chainTransactions', address, block],
    load: (page) =>
      ask('chainTransactions', {
        query: { ...page, ...(address !== undefined && { address }), ...(block !== undefined && { block }) },
        ignoreToken: true,
      }),
    pollMs: POLL_MS,
    of: 'everybody',
  });
  return (
    <PagedTable
      query={query}
      label={text('explorer.transactions')}
      columns={columns}
      keyOf={(row) => row.txHash}
      empty={text('explorer.noTransactions')}
      skeletonRows={block === undefined ? 10 : 2}
      // Most blocks hold one or two: a pager under them would be the larger part.
      pagedAbove={block === undefined ? 0 : query.pager.pageSize}
    />
  );
}
