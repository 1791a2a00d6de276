/** TWAPs that are over: what was filled of what was asked, and why they ended. */
import type { EndedTwap } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import type { Page } from '../../../kit/ui/pager.tsx';
import { useContractSizes } from '../../../market/use-contracts.ts';
import { OrderContract } from './record-cells.tsx';

/** One that ends is read at once: see `useFreshRecords`. */
const POLL_MS = 120_000;

function useColumns(): readonly DataColumn<EndedTwap>[] {
  const text = useText();
  const format = useFormat();
  const size = useContractSizes();
  return [
    {
      id: 'time',
      header: text('records.begun'),
      wideOnly: true,
      cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span>,
      csv: (row) => isoTime(row.createdTime),
      fixed: true,
    },
    {
      id: 'closed',
      header: text('records.ended'),
      wideOnly: true,
      roomyOnly: true,
      cell: (row) => <span className="text-fg2">{format.time(row.closedTime)}</span>,
      csv: (row) => isoTime(row.closedTime),
    },
    {
      id: 'contract',
      header: text('records.contract'),
      cell: (row) => <OrderContract symbol={row.symbol} side={row.orderSide} />,
      csv: (row) => `${row.symbol} ${row.orderSide}`,
      fixed: true,
    },
    {
      id: 'minutes',
      header: text('records.minutes'),
      align: 'end',
      wideOnly: true,
      cell: ({ minutes }) => minutes,
      csv: ({ minutes }) => String(minutes),
    },
    {
      id: 'filled',
      header: text('records.filled'),
      align: 'end',
      cell: (row) => `${format.own(row.executedQty)} / ${size(row.symbol, row.origQty)}`,
      csv: ({ executedQty }) => executedQty,
    },
    {
      id: 'size',
      header: text('records.twapSize'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: ({ symbol, origQty }) => size(symbol, origQty),
      csv: ({ origQty }) => origQty,
    },
    {
      id: 'reason',
      header: text('records.cause'),
      cell: ({ closeReason }) => text(`futures.twapEnd.${closeReason}`),
      csv: ({ closeReason }) => closeReason,
    },
  ];
}

/** @param wire of one contract only */
export function TwapHistory({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const load = async ({ page, pageSize }: Page): Promise<{ list: readonly EndedTwap[]; total: number }> => {
    const query = { page, size: pageSize, ...(wire !== undefined && { symbol: wire }) };
    const { items, total } = await ask('twapHistory', { query });
    return { list: items, total };
  };
  return (
    <RecordTable
      key={wire ?? 'all'}
      name="twap-history"
      label={text('records.twapHistory')}
      columns={columns}
      query={{ key: ['twapHistory', wire], load, pollMs: POLL_MS }}
      keyOf={({ twapId }) => twapId}
      empty={text('records.noTwapHistory')}
      skeletonRows={2}
    />
  );
}
