/** What was paid and received for holding positions, hour by hour. */
import type { FundingPayment } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../../platform/data/calls.ts';
import { useCursorQuery } from '../../../platform/data/cursor-query.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { MoneyCell, RecordContract } from './record-cells.tsx';

const PAGE = 50;

function useColumns(): readonly Column<FundingPayment>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('records.time'), cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span> },
    {
      id: 'contract',
      header: text('records.contract'),
      cell: (row) => <RecordContract symbol={row.symbol} side={row.positionSide === 'BOTH' ? undefined : row.positionSide} />,
    },
    {
      id: 'what',
      header: text('records.kind'),
      cell: (row) => text(row.amount.startsWith('-') ? 'records.paid' : 'records.received'),
    },
    {
      id: 'amount',
      header: text('records.amount'),
      align: 'end',
      cell: (row) => <MoneyCell coin={row.coin} value={row.amount} tone="direction" />,
    },
  ];
}

/** @param wire of one contract only */
export function FundingPayments({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const payments = useCursorQuery<FundingPayment>({
    key: ['fundingPayments', wire],
    load: (id) =>
      ask('fundingPayments', { query: { limit: PAGE, ...(wire !== undefined && { symbol: wire }), ...(id !== undefined && { id }) } }),
  });
  return (
    <>
      <Table
        label={text('records.payments')}
        columns={columns}
        read={payments.read}
        keyOf={({ id }) => id}
        empty={<p className="max-w-md">{text('records.noPayments')}</p>}
        skeletonRows={3}
      />
      {payments.more !== undefined && (
        <div className="flex justify-center border-t border-line py-2">
          <Button size="small" kind="quiet" busy={payments.loadingMore} onClick={payments.more}>
            {text('records.older')}
          </Button>
        </div>
      )}
    </>
  );
}
