/** The TWAPs that are running: what they trade, how far their time has gone, and their end. Below them those that are over. */
import type { Twap } from '@orrery/api';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { usePending } from '../../../platform/data/use-pending.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { Progress } from '../../../kit/ui/progress.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { useServerNow } from '../../../platform/client/server-clock.ts';
import { change, useTwaps } from '../account.ts';
import { useContractSizes } from '../../../market/use-contracts.ts';
import { OrderContract } from './record-cells.tsx';
import { TwapHistory } from './twap-history.tsx';
import { twapProgress } from './twap-progress.ts';
import { actor } from '../../../kit/storage/account-in-view.ts';
import { mapped } from '../../../kit/ui/loaded.ts';

const TICK_MS = 1_000;

function ProgressCell({ twap }: { readonly twap: Twap }): ReactElement {
  const text = useText();
  const progress = twapProgress(twap, useServerNow(TICK_MS));
  return (
    <span className="inline-flex min-w-28 flex-col items-stretch gap-1">
      <span>{text('records.twapDone', { done: progress.minutes, minutes: twap.minutes })}</span>
      <Progress label={text('records.progress')} percent={progress.percent} />
    </span>
  );
}

function End({ twap }: { readonly twap: Twap }): ReactElement {
  const text = useText();
  const symbol = twap.symbol.replace('_', '/');
  const { pending, begin } = usePending(async () => {
    await change('cancelTwap', { twapId: twap.twapId }, actor());
    showSuccess('trade.done.cancelled', { detail: `${text('futures.source.TWAP')} · ${symbol}` });
  });
  return (
    <IconButton
      label={text('records.endTwap', { symbol })}
      className="size-7"
      aria-disabled={pending !== undefined}
      onClick={() => begin(undefined)}
    >
      <X size={15} />
    </IconButton>
  );
}

function useColumns(): readonly Column<Twap>[] {
  const text = useText();
  const format = useFormat();
  const size = useContractSizes();
  return [
    {
      id: 'time',
      header: text('records.time'),
      wideOnly: true,
      cell: ({ createdTime }) => <span className="text-fg2">{format.time(createdTime)}</span>,
    },
    { id: 'contract', header: text('records.contract'), cell: (twap) => <OrderContract symbol={twap.symbol} side={twap.orderSide} /> },
    {
      id: 'size',
      header: text('records.twapSize'),
      align: 'end',
      cell: ({ symbol, origQty }) => size(symbol, origQty),
    },
    {
      id: 'filled',
      header: text('records.filled'),
      align: 'end',
      cell: ({ symbol, executedQty }) => size(symbol, executedQty),
    },
    { id: 'progress', header: text('records.progress'), align: 'end', cell: (twap) => <ProgressCell twap={twap} /> },
    {
      id: 'terms',
      header: text('records.terms'),
      wideOnly: true,
      cell: ({ reduceOnly }) => <span className="text-fg2">{reduceOnly && text('records.reduceOnly')}</span>,
    },
    {
      id: 'actions',
      header: <span className="sr-only">{text('records.actions')}</span>,
      align: 'end',
      pinned: true,
      cell: (twap) => <End twap={twap} />,
    },
  ];
}

/** @param wire of one contract only */
export function TwapsTable({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const twaps = useTwaps();
  const running = mapped(twaps, (all) => all.filter(({ symbol }) => wire === undefined || symbol === wire));
  return (
    <>
      {/* Where none runs, what is over says what stands here. */}
      {running.value?.length !== 0 && (
        <Table
          label={text('records.twaps')}
          columns={columns}
          read={running}
          keyOf={({ twapId }) => twapId}
          empty={<p className="max-w-md">{text('records.noTwapHistory')}</p>}
          skeletonRows={2}
        />
      )}
      <h3 className="border-y border-line px-4 py-1.5 text-sm text-fg3 max-tablet:px-3">{text('records.twapHistory')}</h3>
      <TwapHistory wire={wire} />
    </>
  );
}
