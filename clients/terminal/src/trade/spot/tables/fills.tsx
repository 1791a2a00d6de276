/** The account's trades, page by page. */
import type { Fill } from '@orrery/api';
import type { ReactElement } from 'react';
import { FeeAmount } from '../../../areas/balances/fee-amount.tsx';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import type { Page } from '../../../kit/ui/pager.tsx';
import { MarketCell, PriceCell, SideCell, SizeCell, TimeCell, ValueCell } from '../../shared/tables/order-cells.tsx';

function useColumns(): readonly DataColumn<Fill>[] {
  const text = useText();
  return [
    { id: 'time', header: text('trade.time'), cell: (fill) => <TimeCell at={fill.timestamp} />, csv: (fill) => isoTime(fill.timestamp) },
    {
      id: 'market',
      header: text('trade.tables.market'),
      cell: (fill) => <MarketCell symbol={fill.symbol} direction={fill.orderSide} />,
      csv: (fill) => fill.symbol,
      fixed: true,
    },
    {
      id: 'side',
      header: text('trade.tables.side'),
      wideOnly: true,
      cell: (fill) => <SideCell direction={fill.orderSide} />,
      csv: (fill) => fill.orderSide,
    },
    {
      id: 'price',
      header: text('trade.price'),
      align: 'end',
      cell: (fill) => <PriceCell symbol={fill.symbol} value={fill.price} />,
      csv: (fill) => fill.price,
    },
    {
      id: 'size',
      header: text('trade.size'),
      align: 'end',
      cell: (fill) => <SizeCell symbol={fill.symbol} value={fill.quantity} />,
      csv: (fill) => fill.quantity,
    },
    {
      id: 'value',
      header: text('trade.tables.value'),
      align: 'end',
      wideOnly: true,
      cell: (fill) => <ValueCell symbol={fill.symbol} value={fill.value} />,
      csv: (fill) => fill.value,
    },
    {
      id: 'fee',
      header: text('trade.tables.fee'),
      align: 'end',
      wideOnly: true,
      cell: (fill) => <FeeAmount coin={fill.feeCoin} value={fill.fee} />,
      csv: (fill) => `${fill.fee} ${fill.feeCoin}`,
    },
    {
      id: 'role',
      header: text('trade.tables.role'),
      wideOnly: true,
      cell: (fill) => <span className="text-fg2">{text(`trade.tables.${fill.takerMaker}`)}</span>,
      csv: (fill) => fill.takerMaker,
    },
  ];
}

export function Fills({ symbol }: { readonly symbol: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const query = {
    key: ['fills', symbol ?? 'all'] as const,
    load: async ({ page, pageSize }: Page) => {
      const { items, total } = await ask('fills', { query: { page, size: pageSize, ...(symbol !== undefined && { symbol }) } });
      return { list: items, total };
    },
  };
  return (
    <RecordTable
      name="fills"
      label={text('trade.tables.fills')}
      columns={columns}
      query={query}
      keyOf={(fill) => `${fill.execId}-${fill.orderId}`}
      empty={<p className="max-w-md">{text('trade.tables.fillsEmpty')}</p>}
      skeletonRows={4}
    />
  );
}
