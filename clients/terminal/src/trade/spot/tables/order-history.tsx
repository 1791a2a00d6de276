/** Orders that are over, page by page. Read again when the account's stream brings another. */
import type { Order } from '@orrery/api';
import type { ReactElement } from 'react';
import { http } from '../../../client/client.ts';
import { usePageQuery } from '../../../session/use-page-query.ts';
import { useText } from '../../../i18n/text.tsx';
import { useFormat } from '../../../settings/use-format.ts';
import { Pager } from '../../../ui/pager.tsx';
import { Table } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import { FilledCell, MarketCell, PriceCell, SideCell, StatusCell, TimeCell } from './order-cells.tsx';

export const ORDER_HISTORY = 'orderHistory';

function useColumns(): readonly Column<Order>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('trade.time'), wideOnly: true, cell: (order) => <TimeCell at={order.updatedTime} /> },
    {
      id: 'market',
      header: text('trade.tables.market'),
      cell: (order) => <MarketCell symbol={order.symbol} direction={order.orderSide} />,
    },
    { id: 'type', header: text('trade.tables.type'), wideOnly: true, cell: (order) => text(`trade.tables.type.${order.orderType}`) },
    { id: 'side', header: text('trade.tables.side'), cell: (order) => <SideCell direction={order.orderSide} /> },
    {
      id: 'price',
      header: text('trade.price'),
      align: 'end',
      wideOnly: true,
      cell: (order) => <PriceCell symbol={order.symbol} value={order.price} />,
    },
    {
      id: 'average',
      header: text('trade.tables.average'),
      align: 'end',
      cell: (order) => <PriceCell symbol={order.symbol} value={order.avgPrice} />,
    },
    { id: 'filled', header: text('trade.tables.filled'), align: 'end', cell: (order) => <FilledCell order={order} /> },
    {
      id: 'value',
      header: text('trade.tables.value'),
      align: 'end',
      wideOnly: true,
      cell: (order) => format.number(order.executedValue, { decimals: 2 }),
    },
    { id: 'status', header: text('trade.tables.status'), cell: (order) => <StatusCell order={order} /> },
  ];
}

export function OrderHistory({ symbol }: { readonly symbol: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const { rows, updating, failed, retry, pager } = usePageQuery<Order>({
    key: [ORDER_HISTORY, symbol ?? 'all'],
    load: async ({ page, pageSize }) => {
      const { items, total } = await http.load('orderHistory', {
        query: { page, size: pageSize, ...(symbol !== undefined && { symbol }) },
      });
      return { list: items, total };
    },
  });
  return (
    <>
      <Table
        label={text('trade.tables.history')}
        columns={columns}
        rows={rows}
        updating={updating}
        keyOf={(order) => order.orderId}
        empty={<p className="max-w-md">{text('trade.tables.historyEmpty')}</p>}
        failed={failed}
        onRetry={retry}
        skeletonRows={4}
      />
      {(pager.total ?? 0) > 0 && <Pager {...pager} />}
    </>
  );
}
