/** The account's trades, page by page. */
import type { Fill } from '@orrery/api';
import type { ReactElement } from 'react';
import { http } from '../../../client/client.ts';
import { usePageQuery } from '../../../session/use-page-query.ts';
import { shownName } from '../../../feed/market.ts';
import { useText } from '../../../i18n/text.tsx';
import { useFormat } from '../../../settings/use-format.ts';
import { Pager } from '../../../ui/pager.tsx';
import { Table } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import { MarketCell, PriceCell, SideCell, SizeCell, TimeCell } from './order-cells.tsx';

export const FILLS = 'fills';

function useColumns(): readonly Column<Fill>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('trade.time'), cell: (fill) => <TimeCell at={fill.timestamp} /> },
    { id: 'market', header: text('trade.tables.market'), cell: (fill) => <MarketCell symbol={fill.symbol} direction={fill.orderSide} /> },
    { id: 'side', header: text('trade.tables.side'), wideOnly: true, cell: (fill) => <SideCell direction={fill.orderSide} /> },
    { id: 'price', header: text('trade.price'), align: 'end', cell: (fill) => <PriceCell symbol={fill.symbol} value={fill.price} /> },
    { id: 'size', header: text('trade.size'), align: 'end', cell: (fill) => <SizeCell symbol={fill.symbol} value={fill.quantity} /> },
    {
      id: 'value',
      header: text('trade.tables.value'),
      align: 'end',
      wideOnly: true,
      cell: (fill) => format.number(fill.value, { decimals: 2 }),
    },
    {
      id: 'fee',
      header: text('trade.tables.fee'),
      align: 'end',
      wideOnly: true,
      cell: (fill) => `${format.number(fill.fee, { decimals: 8 })} ${shownName(fill.feeCoin)}`,
    },
    {
      id: 'role',
      header: text('trade.tables.role'),
      wideOnly: true,
      cell: (fill) => <span className="text-fg2">{text(`trade.tables.${fill.takerMaker}`)}</span>,
    },
  ];
}

export function Fills({ symbol }: { readonly symbol: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const { rows, updating, failed, retry, pager } = usePageQuery<Fill>({
    key: [FILLS, symbol ?? 'all'],
    load: async ({ page, pageSize }) => {
      const { items, total } = await http.load('fills', { query: { page, size: pageSize, ...(symbol !== undefined && { symbol }) } });
      return { list: items, total };
    },
  });
  return (
    <>
      <Table
        label={text('trade.tables.fills')}
        columns={columns}
        rows={rows}
        updating={updating}
        keyOf={(fill) => `${fill.execId}-${fill.orderId}`}
        empty={<p className="max-w-md">{text('trade.tables.fillsEmpty')}</p>}
        failed={failed}
        onRetry={retry}
        skeletonRows={4}
      />
      {(pager.total ?? 0) > 0 && <Pager {...pager} />}
    </>
  );
}
