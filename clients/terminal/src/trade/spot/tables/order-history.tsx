/** Orders that are over, page by page. Read again when the account's stream brings another. */
import type { Order } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import type { Page } from '../../../kit/ui/pager.tsx';
import { KindCell } from './kind-cell.tsx';
import { TimelineButton } from './timeline-button.tsx';
import { FilledCell, MarketCell, PriceCell, SideCell, StatusCell, TimeCell, ValueCell } from '../../shared/tables/order-cells.tsx';

function useTimelineColumn(): DataColumn<Order> {
  const text = useText();
  return {
    id: 'timeline',
    header: text('timeline.title'),
    heading: <span className="sr-only">{text('timeline.title')}</span>,
    align: 'end',
    pinned: true,
    fixed: true,
    cell: (order) => <TimelineButton order={order} />,
  };
}

function usePriceColumns(): readonly DataColumn<Order>[] {
  const text = useText();
  return [
    {
      id: 'price',
      header: text('trade.price'),
      align: 'end',
      wideOnly: true,
      cell: (order) => <PriceCell symbol={order.symbol} value={order.price} />,
      csv: (order) => order.price ?? '',
    },
    {
      id: 'trigger',
      header: text('trade.tables.trigger'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: (order) => (order.stopPrice === null ? '' : <PriceCell symbol={order.symbol} value={order.stopPrice} />),
      csv: (order) => order.stopPrice ?? '',
    },
    {
      id: 'average',
      header: text('trade.tables.average'),
      align: 'end',
      cell: (order) => <PriceCell symbol={order.symbol} value={order.avgPrice} />,
      csv: (order) => order.avgPrice ?? '',
    },
  ];
}

function useColumns(): readonly DataColumn<Order>[] {
  const text = useText();
  const prices = usePriceColumns();
  return [
    {
      id: 'time',
      // Pages come in the order in which orders were placed.
      header: text('trade.tables.placed'),
      wideOnly: true,
      cell: (order) => <TimeCell at={order.createdTime} />,
      csv: (order) => isoTime(order.createdTime),
    },
    {
      id: 'ended',
      header: text('trade.tables.ended'),
      wideOnly: true,
      roomyOnly: true,
      cell: (order) => <TimeCell at={order.updatedTime} />,
      csv: (order) => isoTime(order.updatedTime),
    },
    {
      id: 'market',
      header: text('trade.tables.market'),
      cell: (order) => <MarketCell symbol={order.symbol} direction={order.orderSide} />,
      csv: (order) => order.symbol,
      fixed: true,
    },
    {
      id: 'type',
      header: text('trade.tables.type'),
      wideOnly: true,
      cell: (order) => <KindCell order={order} />,
      csv: (order) => order.orderType,
    },
    {
      id: 'side',
      header: text('trade.tables.side'),
      cell: (order) => <SideCell direction={order.orderSide} />,
      csv: (order) => order.orderSide,
    },
    ...prices,
    {
      id: 'filled',
      header: text('trade.tables.filled'),
      align: 'end',
      cell: (order) => <FilledCell order={order} />,
      csv: (order) => order.executedQty,
    },
    {
      id: 'value',
      header: text('trade.tables.value'),
      align: 'end',
      wideOnly: true,
      cell: (order) => <ValueCell symbol={order.symbol} value={order.executedValue} />,
      csv: (order) => order.executedValue,
    },
    {
      id: 'status',
      header: text('trade.tables.status'),
      cell: (order) => <StatusCell order={order} />,
      csv: (order) => text(`trade.tables.state.${order.state}`),
    },
    useTimelineColumn(),
  ];
}

export function OrderHistory({ symbol }: { readonly symbol: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const query = {
    key: ['orderHistory', symbol ?? 'all'] as const,
    load: async ({ page, pageSize }: Page) => {
      const { items, total } = await ask('orderHistory', {
        query: { page, size: pageSize, ...(symbol !== undefined && { symbol }) },
      });
      return { list: items, total };
    },
  };
  return (
    <RecordTable
      name="orders"
      label={text('trade.tables.history')}
      columns={columns}
      query={query}
      keyOf={(order) => order.orderId}
      empty={<p className="max-w-md">{text('trade.tables.historyEmpty')}</p>}
      skeletonRows={4}
    />
  );
}
