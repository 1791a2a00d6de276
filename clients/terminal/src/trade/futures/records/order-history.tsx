/** Orders in contracts that are over, with what placed them and how they ended. */
import type { FuturesOrder } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import type { Page } from '../../../kit/ui/pager.tsx';
import { useContractMarkets, useContractSizes } from '../../../market/use-contracts.ts';
import { OrderContract } from './record-cells.tsx';

/** What the stream reports is read at once: see `useFreshRecords`. */
const POLL_MS = 30_000;

function usePriceColumns(): readonly DataColumn<FuturesOrder>[] {
  const text = useText();
  const format = useFormat();
  const markets = useContractMarkets().value;
  const priceOf = (symbol: string, price: string | null): string =>
    format.number(price ?? undefined, { decimals: markets?.find(({ wire }) => wire === symbol)?.pricePrecision ?? 0 });
  return [
    {
      id: 'price',
      header: text('records.price'),
      align: 'end',
      wideOnly: true,
      cell: ({ symbol, price, orderType }) => (orderType === 'MARKET' ? text('records.type.MARKET') : priceOf(symbol, price)),
      csv: ({ price }) => price ?? '',
    },
    {
      id: 'trigger',
      header: text('trade.tables.trigger'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: ({ symbol, stopPrice }) => (stopPrice === null ? '' : priceOf(symbol, stopPrice)),
      csv: ({ stopPrice }) => stopPrice ?? '',
    },
    {
      id: 'average',
      header: text('records.average'),
      align: 'end',
      cell: ({ symbol, avgPrice }) => priceOf(symbol, avgPrice),
      csv: ({ avgPrice }) => avgPrice ?? '',
    },
  ];
}

function useColumns(): readonly DataColumn<FuturesOrder>[] {
  const text = useText();
  const format = useFormat();
  const size = useContractSizes();
  const prices = usePriceColumns();
  return [
    {
      id: 'time',
      // Pages come in the order in which orders were placed.
      header: text('records.placed'),
      wideOnly: true,
      cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span>,
      csv: (row) => isoTime(row.createdTime),
      fixed: true,
    },
    {
      id: 'ended',
      header: text('records.ended'),
      wideOnly: true,
      roomyOnly: true,
      cell: (row) => <span className="text-fg2">{format.time(row.updatedTime)}</span>,
      csv: (row) => isoTime(row.updatedTime),
    },
    {
      id: 'contract',
      header: text('records.contract'),
      cell: (row) => <OrderContract symbol={row.symbol} side={row.orderSide} />,
      csv: (row) => `${row.symbol} ${row.orderSide}`,
      fixed: true,
    },
    {
      id: 'type',
      header: text('records.type'),
      wideOnly: true,
      cell: (row) =>
        `${text(row.entrustType === null ? `records.type.${row.orderType}` : `futures.entrust.${row.entrustType}`)}${row.reduceOnly ? ` · ${text('records.reduceOnly')}` : ''}`,
      csv: ({ orderType }) => orderType,
    },
    ...prices,
    {
      id: 'filled',
      header: text('records.filled'),
      align: 'end',
      cell: (row) => `${format.own(row.executedQty)} / ${row.origQty === null ? text('records.whole') : size(row.symbol, row.origQty)}`,
      csv: ({ executedQty }) => executedQty,
    },
    {
      id: 'source',
      header: text('records.source'),
      wideOnly: true,
      cell: (row) => text(`records.source.${row.sourceType}`),
      csv: ({ sourceType }) => sourceType,
    },
    { id: 'state', header: text('records.state'), cell: (row) => text(`records.state.${row.state}`), csv: ({ state }) => state },
  ];
}

/** @param wire of one contract only */
export function ContractOrderHistory({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const load = async ({ page, pageSize }: Page): Promise<{ list: readonly FuturesOrder[]; total: number }> => {
    const query = { page, size: pageSize, ...(wire !== undefined && { symbol: wire }) };
    const { items, total } = await ask('futuresOrderHistory', { query });
    return { list: items, total };
  };
  return (
    <RecordTable
      key={wire ?? 'all'}
      name="contract-orders"
      label={text('records.orders')}
      columns={columns}
      query={{ key: ['futuresOrderHistory', wire], load, pollMs: POLL_MS }}
      keyOf={({ orderId }) => orderId}
      empty={text('records.noOrders')}
      skeletonRows={3}
    />
  );
}
