/** Positions that are over: prices, profit with what it cost, and how they ended. */
import type { ClosedPosition } from '@orrery/api';
import { Share2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { coinName } from '../../../areas/balances/coin-name.ts';
import { FeeAmount } from '../../../areas/balances/fee-amount.tsx';
import { ask } from '../../../platform/data/calls.ts';
import { RecordTable } from '../../../platform/data/record-table.tsx';
import { isoTime } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { sharePosition } from '../../../areas/share/share-position.ts';
import type { DataColumn } from '../../../kit/ui/data-columns.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import type { Page } from '../../../kit/ui/pager.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useContractMarkets, useContractSizes } from '../../../market/use-contracts.ts';
import { closedFigures, netOf } from './closed-figures.ts';
import { MoneyCell, RecordContract } from './record-cells.tsx';

const LiquidationDialog = lazyDialog(async () => (await import('./liquidation-dialog.tsx')).LiquidationDialog);

/** What the stream reports is read at once: see `useFreshRecords`. */
const POLL_MS = 30_000;

interface Row extends ClosedPosition {
  /** `undefined` of a contract that is not listed any more. */
  readonly market: ContractMarket | undefined;
}

function share(row: Row): void {
  const { net, percent } = closedFigures(row, row.market?.margin.payoff ?? 'linear');
  sharePosition({
    contract: row.symbol.replace('_', '/'),
    side: row.side,
    leverage: row.leverage,
    percent,
    profit: net,
    coin: coinName(row.settleCoin),
    entryPrice: row.entryPrice,
    otherPrice: row.avgClosePrice,
    otherIs: 'exit',
    at: row.closedTime,
  });
}

function ProfitCell({ row }: { readonly row: Row }): ReactElement {
  const format = useFormat();
  const { net, percent } = closedFigures(row, row.market?.margin.payoff ?? 'linear');
  return (
    <MoneyCell coin={row.settleCoin} value={net} tone="direction">
      {percent !== undefined && (
        <>
          {' '}
          <span className="block text-sm leading-tight">({format.number(percent, { sign: 'always' })}%)</span>
        </>
      )}
    </MoneyCell>
  );
}

/** How it ended; of a liquidation there is more to read. */
function CauseCell({ row }: { readonly row: Row }): ReactElement {
  const text = useText();
  const words = text(`records.cause.${row.cause}`);
  if (row.cause !== 'LIQUIDATION' && row.cause !== 'TAKE_OVER') return <>{words}</>;
  return (
    <span className="inline-flex items-center gap-2">
      {words}
      <Button size="small" kind="quiet" className="h-6" onClick={() => void openDialog(LiquidationDialog, { name: row })}>
        {text('why.open')}
      </Button>
    </span>
  );
}

function usePrices(): readonly DataColumn<Row>[] {
  const text = useText();
  const format = useFormat();
  const price = (id: string, header: string, of: (row: Row) => string): DataColumn<Row> => ({
    id,
    header,
    align: 'end',
    cell: (row) => format.number(of(row), row.market && { decimals: row.market.pricePrecision }),
    csv: of,
  });
  return [
    price('entry', text('records.entry'), ({ entryPrice }) => entryPrice),
    price('exit', text('records.exit'), ({ avgClosePrice }) => avgClosePrice),
  ];
}

function useShareColumn(): DataColumn<Row> {
  const text = useText();
  return {
    id: 'share',
    header: text('records.share'),
    heading: <span className="sr-only">{text('records.share')}</span>,
    align: 'end',
    pinned: true,
    fixed: true,
    cell: (row) => (
      <IconButton label={text('records.shareOf', { symbol: row.symbol.replace('_', '/') })} className="size-7" onClick={() => share(row)}>
        <Share2 size={14} />
      </IconButton>
    ),
  };
}

function useColumns(): readonly DataColumn<Row>[] {
  const text = useText();
  const format = useFormat();
  const size = useContractSizes();
  const prices = usePrices();
  const shareColumn = useShareColumn();
  return [
    {
      id: 'closed',
      header: text('records.closed'),
      cell: (row) => <span className="text-fg2">{format.time(row.closedTime)}</span>,
      csv: (row) => isoTime(row.closedTime),
      wideOnly: true,
      fixed: true,
    },
    {
      id: 'opened',
      header: text('records.opened'),
      cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span>,
      csv: (row) => isoTime(row.createdTime),
      wideOnly: true,
      roomyOnly: true,
    },
    {
      id: 'contract',
      header: text('records.contract'),
      cell: (row) => (
        <RecordContract symbol={row.symbol} side={row.side} terms={`${text(`records.${row.positionType}`)} ${row.leverage}×`} />
      ),
      csv: (row) => `${row.symbol} ${row.side}`,
      fixed: true,
    },
    { id: 'profit', header: text('records.profit'), align: 'end', cell: (row) => <ProfitCell row={row} />, csv: netOf },
    { id: 'cause', header: text('records.cause'), cell: (row) => <CauseCell row={row} />, csv: (row) => row.cause },
    {
      id: 'size',
      header: text('records.size'),
      align: 'end',
      roomyOnly: true,
      cell: (row) => size(row.symbol, row.maxSize),
      csv: (row) => row.maxSize,
    },
    ...prices,
    {
      id: 'fees',
      header: text('records.fees'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: (row) => <FeeAmount coin={row.settleCoin} value={row.cumTradingFee} />,
      csv: (row) => row.cumTradingFee,
    },
    {
      id: 'funding',
      header: text('records.funding'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: (row) => <MoneyCell coin={row.settleCoin} value={row.cumFunding} tone="direction" />,
      csv: (row) => row.cumFunding,
    },
    shareColumn,
  ];
}

/** @param wire of one contract only */
export function PositionHistory({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const markets = useContractMarkets().value;
  const load = async ({ page, pageSize }: Page): Promise<{ list: readonly Row[]; total: number }> => {
    const query = { page, size: pageSize, ...(wire !== undefined && { symbol: wire }) };
    const { items, total } = await ask('positionHistory', { query });
    return { list: items.map((item) => ({ ...item, market: markets?.find((market) => market.wire === item.symbol) })), total };
  };
  return (
    <RecordTable
      key={wire ?? 'all'}
      name="positions"
      label={text('records.positions')}
      columns={columns}
      query={{ key: ['positionHistory', wire, markets !== undefined], load, pollMs: POLL_MS }}
      keyOf={({ positionId }) => positionId}
      empty={text('records.noPositions')}
      skeletonRows={3}
    />
  );
}
