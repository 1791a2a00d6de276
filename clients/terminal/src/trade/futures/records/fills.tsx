/** Own trades in contracts: price, size, fee, and what the part that closed a position realised. */
import type { FuturesFill } from '@orrery/api';
import type { ReactElement } from 'react';
import { FeeAmount } from '../../../areas/balances/fee-amount.tsx';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import type { Page } from '../../../kit/ui/pager.tsx';
import { useContractMarkets, useContractSizes } from '../../../market/use-contracts.ts';
import { MoneyCell, OrderContract } from './record-cells.tsx';

/** What the stream reports is read at once: see `useFreshRecords`. */
const POLL_MS = 30_000;

function useColumns(): readonly DataColumn<FuturesFill>[] {
  const text = useText();
  const format = useFormat();
  const size = useContractSizes();
  const markets = useContractMarkets().value;
  const marketOf = ({ symbol }: FuturesFill) => markets?.find(({ wire }) => wire === symbol);
  return [
    {
      id: 'time',
      header: text('records.time'),
      wideOnly: true,
      cell: (row) => <span className="text-fg2">{format.time(row.timestamp)}</span>,
      csv: (row) => isoTime(row.timestamp),
      fixed: true,
    },
    {
      id: 'contract',
      header: text('records.contract'),
      cell: (row) => <OrderContract symbol={row.symbol} side={row.orderSide} />,
      csv: (row) => `${row.symbol} ${row.orderSide}`,
      fixed: true,
    },
    {
      id: 'price',
      header: text('records.price'),
      align: 'end',
      cell: (row) => format.number(row.price, { decimals: marketOf(row)?.pricePrecision ?? 0 }),
      csv: ({ price }) => price,
    },
    {
      id: 'size',
      header: text('trade.size'),
      align: 'end',
      cell: (row) => size(row.symbol, row.quantity),
      csv: ({ quantity }) => quantity,
    },
    {
      id: 'fee',
      header: text('records.fee'),
      align: 'end',
      cell: (row) => <FeeAmount coin={row.feeCoin} value={row.fee} />,
      csv: ({ fee }) => fee,
    },
    {
      id: 'realised',
      header: text('records.realised'),
      align: 'end',
      cell: (row) => <MoneyCell coin={row.feeCoin} value={row.closeProfit} tone="direction" />,
      csv: ({ closeProfit }) => closeProfit,
    },
    {
      id: 'role',
      header: text('records.role'),
      wideOnly: true,
      cell: (row) => text(`records.role.${row.takerMaker}`),
      csv: ({ takerMaker }) => takerMaker,
    },
  ];
}

/** @param wire of one contract only */
export function ContractFills({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const load = async ({ page, pageSize }: Page): Promise<{ list: readonly FuturesFill[]; total: number }> => {
    const query = { page, size: pageSize, ...(wire !== undefined && { symbol: wire }) };
    const { items, total } = await ask('futuresFills', { query });
    return { list: items, total };
  };
  return (
    <RecordTable
      key={wire ?? 'all'}
      name="contract-fills"
      label={text('records.fills')}
      columns={columns}
      query={{ key: ['futuresFillPages', wire], load, pollMs: POLL_MS }}
      keyOf={({ execId, orderId }) => `${execId}:${orderId}`}
      empty={text('records.noFills')}
      skeletonRows={3}
    />
  );
}
