/** The open positions: what they are worth, how near their liquidation is, and what can be done about it. */
import type { Position, ProfitStopTerms } from '@orrery/api';
import { parseTicks } from '@orrery/units';
import { ArrowLeftRight, CircleX, Share2, ShieldPlus, Wallet } from 'lucide-react';
import type { ReactElement } from 'react';
import { compareDecimals } from '../../../kit/format/decimal.ts';
import { useContractQuotes } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { sharePosition } from '../../../areas/share/share-position.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { useLayout } from '../../../kit/ui/use-layout.ts';
import { useContractOrders, usePositions } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useContractMarkets } from '../../../market/use-contracts.ts';
import { AdlLights } from './adl-lights.tsx';
import { liquidationDistance } from './liquidation-distance.ts';
import { positionAtMark } from './position-at-mark.ts';
import { absolute, directionOf } from './position-holding.ts';
import { standingStops } from './standing-stops.ts';
import type { StandingStop } from './standing-stops.ts';
import { mapped, together } from '../../../kit/ui/loaded.ts';

const CloseDialog = lazyDialog(async () => (await import('./close-dialog.tsx')).CloseDialog);
const ProtectDialog = lazyDialog(async () => (await import('./protect-dialog.tsx')).ProtectDialog);
const ReverseDialog = lazyDialog(async () => (await import('./reverse-dialog.tsx')).ReverseDialog);
const MarginDialog = lazyDialog(async () => (await import('./margin-dialog.tsx')).MarginDialog);

interface Held {
  readonly position: Position;
  readonly market: ContractMarket;
}

const PERCENT_DECIMALS = 2;
const signClass = (value: string | null): string | undefined => {
  if (value === null || compareDecimals(value, '0') === 0) return undefined;
  return value.startsWith('-') ? 'text-down' : 'text-up';
};

/** A ratio of the wire in per cent. */
const percentText = (ratio: string): string => {
  const isNegative = ratio.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? ratio.slice(1) : ratio).split('.');
  const moved = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2);
  return `${isNegative ? '-' : ''}${moved}${rest === '' ? '' : `.${rest}`}`;
};

function LiquidationCell({ position, market }: Held): ReactElement {
  const text = useText();
  const format = useFormat();
  const { pricePrecision } = market;
  const ticksOf = (value: string | null) => (value === null ? undefined : parseTicks(value, pricePrecision));
  const [mark, liquidation] = [ticksOf(position.markPrice), ticksOf(position.liquidationPrice)];
  const price = format.number(position.liquidationPrice ?? undefined, { decimals: pricePrecision });
  // Without a value nothing is known of it yet.
  if (liquidation === undefined && position.notional !== null)
    return <span title={text('futures.liquidation.noneLead')}>{text('futures.liquidation.none')}</span>;
  const distance = mark === undefined || liquidation === undefined ? undefined : liquidationDistance(mark, liquidation);
  if (distance === undefined) return <>{price}</>;
  const words = text(distance.way === 'fall' ? 'futures.distance.fall' : 'futures.distance.rise', { percent: distance.percent, price });
  return (
    <span title={words} className="flex flex-col py-1 leading-tight">
      <span className="text-warn">{price}</span>
      <span className="text-sm text-fg3">
        {distance.way === 'fall' ? '−' : '+'}
        {distance.percent}%<span className="sr-only">{words}</span>
      </span>
    </span>
  );
}

/** At the mark of now. Without a mark there is nothing to show. */
function share({ position, market }: Held): void {
  const { entryPrice, markPrice, unrealizedProfit, roe } = position;
  if (entryPrice === null || markPrice === null || unrealizedProfit === null) return;
  sharePosition({
    contract: position.symbol.replace('_', '/'),
    side: directionOf(position) === 'long' ? 'LONG' : 'SHORT',
    leverage: position.leverage,
    percent: roe === null ? undefined : percentText(roe),
    profit: unrealizedProfit,
    coin: market.settleName,
    entryPrice,
    otherPrice: markPrice,
    otherIs: 'mark',
    at: Date.now(),
  });
}

function Actions(held: Held): ReactElement {
  const text = useText();
  const { position } = held;
  const pair = position.symbol.replace('_', '/');
  // Two positions of one contract have buttons with names of their own.
  const symbol = position.positionSide === 'BOTH' ? pair : text(`futures.position.of.${directionOf(position)}`, { symbol: pair });
  const values = { symbol };
  return (
    <span className="flex items-center justify-end gap-0.5">
      <IconButton label={text('futures.position.protect', values)} className="size-7" onClick={() => void openDialog(ProtectDialog, held)}>
        <ShieldPlus size={14} />
      </IconButton>
      {position.positionType === 'ISOLATED' && (
        <IconButton label={text('futures.position.margin', values)} className="size-7" onClick={() => void openDialog(MarginDialog, held)}>
          <Wallet size={14} />
        </IconButton>
      )}
      {position.positionSide === 'BOTH' && (
        <IconButton
          label={text('futures.position.reverse', values)}
          className="size-7"
          onClick={() => void openDialog(ReverseDialog, held)}
        >
          <ArrowLeftRight size={14} />
        </IconButton>
      )}
      <IconButton
        label={text('futures.position.share', values)}
        className="size-7"
        disabled={position.unrealizedProfit === null}
        onClick={() => share(held)}
      >
        <Share2 size={14} />
      </IconButton>
      <IconButton label={text('futures.position.close', values)} className="size-7" onClick={() => void openDialog(CloseDialog, held)}>
        <CircleX size={15} />
      </IconButton>
    </span>
  );
}

function ContractCell({ position }: Pick<Held, 'position'>): ReactElement {
  const text = useText();
  return (
    <span className="flex items-center gap-2">
      <span className={classes('h-7 w-[3px]', directionOf(position) === 'long' ? 'bg-up' : 'bg-down')} aria-hidden="true" />
      <span className="flex flex-col py-1 leading-tight whitespace-nowrap">
        <span className="font-medium">{position.symbol.replace('_', '/')}</span>
        <span className="text-sm text-fg3">
          {text(`futures.margin.${position.positionType}`)} {position.leverage}×
        </span>
      </span>
    </span>
  );
}

function ProfitCell({ position, market }: Held): ReactElement {
  const format = useFormat();
  return (
    <span className={classes('flex flex-col items-end py-1 leading-tight whitespace-nowrap', signClass(position.unrealizedProfit))}>
      <span>
        {format.own(position.unrealizedProfit ?? undefined, { decimals: market.valueDecimals, rounding: 'nearest', sign: 'always' })}{' '}
        <span className="text-sm">{market.valueName}</span>
      </span>
      {position.roe !== null && (
        <span className="text-sm">
          ({format.number(percentText(position.roe), { decimals: PERCENT_DECIMALS, rounding: 'nearest', sign: 'always' })}%)
        </span>
      )}
    </span>
  );
}

/** The triggers that act first; how many more there are stands beside. */
function StopsCell({ position, market, stops }: Held & { readonly stops: readonly ProfitStopTerms[] | undefined }): ReactElement {
  const format = useFormat();
  const text = useText();
  if (stops === undefined) return <>{format.number(undefined)}</>;
  const standing = standingStops(stops, position);
  const line = (name: string, stop: StandingStop | undefined): ReactElement => (
    <span className={stop === undefined ? 'text-fg3' : undefined}>
      <span className="text-sm text-fg3">{name}</span> {format.number(stop?.price, { decimals: market.pricePrecision })}
      {stop !== undefined && stop.count > 1 && <span className="text-sm text-fg3"> +{stop.count - 1}</span>}
    </span>
  );
  return (
    <span className="flex flex-col items-end py-1 leading-tight whitespace-nowrap">
      {line(text('futures.orders.tp'), standing.takeProfit)}
      {line(text('futures.orders.sl'), standing.stopLoss)}
    </span>
  );
}

/** What an isolated position has, what a crossed one needs; below it how much of that its maintenance takes. */
function MarginCell({ position, market }: Held): ReactElement {
  const format = useFormat();
  const { positionType, isolatedMargin, initialMargin, marginRatio } = position;
  return (
    <span className="flex flex-col items-end py-1 leading-tight">
      <MoneyLine market={market} amount={positionType === 'ISOLATED' ? isolatedMargin : initialMargin} />
      {marginRatio !== null && (
        <span className="text-sm text-fg3">{format.number(percentText(marginRatio), { decimals: PERCENT_DECIMALS })}%</span>
      )}
    </span>
  );
}

/** Below it its value at the mark price. */
function SizeCell({ position, market }: Held): ReactElement {
  const text = useText();
  const format = useFormat();
  const direction = directionOf(position);
  return (
    <span className="flex flex-col items-end py-1 leading-tight whitespace-nowrap">
      <span className={direction === 'long' ? 'text-up' : 'text-down'}>
        {text(`futures.direction.${direction}`)} {format.own(absolute(position.positionSize), { decimals: market.sizePrecision })}{' '}
        {market.sizeName}
      </span>
      <span className="text-sm text-fg3">
        <MoneyLine market={market} amount={position.notional} />
      </span>
    </span>
  );
}

/** Money of the wire, in the settlement coin. */
function MoneyLine({ market, amount }: Pick<Held, 'market'> & { readonly amount: string | null }): ReactElement {
  const format = useFormat();
  return (
    <span className="whitespace-nowrap">
      {format.own(amount ?? undefined, { decimals: market.valueDecimals })} <span className="text-sm text-fg3">{market.valueName}</span>
    </span>
  );
}

/** An amount of a price of the wire, with the decimals of the contract. */
function usePriceColumn(): (column: Omit<Column<Held>, 'cell' | 'align'>, priceOf: (position: Position) => string | null) => Column<Held> {
  const format = useFormat();
  return (column, priceOf) => ({
    ...column,
    align: 'end',
    cell: ({ position, market }) => format.number(priceOf(position) ?? undefined, { decimals: market.pricePrecision }),
  });
}

function useColumns(): readonly Column<Held>[] {
  const price = usePriceColumn();
  const stops = useContractOrders().stops.value;
  const text = useText();
  return [
    {
      id: 'contract',
      header: text('futures.position.contract'),
      cell: ({ position }) => <ContractCell position={position} />,
    },
    { id: 'size', header: text('futures.position.sizeAndValue'), align: 'end', cell: (held) => <SizeCell {...held} /> },
    // Beside the size, so that no width of window hides it.
    { id: 'profit', header: text('futures.position.profit'), align: 'end', cell: (held) => <ProfitCell {...held} /> },
    price({ id: 'entry', header: text('futures.position.entry') }, ({ entryPrice }) => entryPrice),
    price(
      { id: 'breakEven', header: text('futures.position.breakEven'), wideOnly: true, roomyOnly: true },
      ({ breakEvenPrice }) => breakEvenPrice,
    ),
    price({ id: 'mark', header: text('futures.position.mark'), wideOnly: true, roomyOnly: true }, ({ markPrice }) => markPrice),
    { id: 'liquidation', header: text('futures.position.liquidation'), align: 'end', cell: (held) => <LiquidationCell {...held} /> },
    {
      id: 'margin',
      header: text('futures.position.marginAndRatio'),
      align: 'end',
      wideOnly: true,
      roomyOnly: true,
      cell: (held) => <MarginCell {...held} />,
    },
    {
      id: 'stops',
      header: text('futures.tables.stops'),
      align: 'end',
      cell: (held) => <StopsCell {...held} stops={stops} />,
    },
    {
      id: 'adl',
      header: text('futures.position.adl'),
      wideOnly: true,
      roomyOnly: true,
      cell: ({ position }) => <AdlLights rank={position.adlRank} />,
    },
    {
      id: 'actions',
      header: <span className="sr-only">{text('trade.tables.actions')}</span>,
      align: 'end',
      pinned: true,
      cell: (held) => <Actions {...held} />,
    },
  ];
}

/** On a phone a row of ten figures has no room: each position is a card of the same figures. */
function PositionCards({ columns, rows }: { readonly columns: readonly Column<Held>[]; readonly rows: readonly Held[] }): ReactElement {
  const text = useText();
  const figures = columns.filter(({ id }) => id !== 'contract' && id !== 'actions');
  return (
    <ul aria-label={text('futures.tables.positions')}>
      {rows.map((held) => (
        <li key={keyOf(held)} className="flex flex-col gap-2 border-b border-line px-4 py-2.5 text-sm">
          <div className="flex items-center justify-between gap-2">
            <ContractCell {...held} />
            <Actions {...held} />
          </div>
          <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5">
            {figures.map(({ id, header, cell }) => (
              <div key={id} className="flex flex-wrap items-baseline justify-between gap-x-2">
                <dt className="text-fg3">{header}</dt>
                {/* A long amount stands below its name. */}
                <dd className="ms-auto text-end">{cell(held)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const keyOf = ({ position }: Held): string => `${position.symbol}:${position.positionSide}`;

export function PositionsTable({ wire }: { readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const positions = usePositions();
  const layout = useLayout();
  const markets = useContractMarkets();
  const quotes = useContractQuotes();
  const heldOf = (position: Position): readonly Held[] => {
    const market = markets.value?.find((one) => one.wire === position.symbol);
    if (market === undefined || (wire !== undefined && wire !== position.symbol)) return [];
    // A stream that has stopped may be older than what was read.
    const mark = quotes.phase === 'fresh' ? quotes.value.get(position.symbol)?.m : undefined;
    return [{ position: positionAtMark(position, market, mark), market }];
  };
  // What cannot be named without the list of contracts waits for it.
  const read = mapped(together(positions, markets), ([all]) => all.flatMap(heldOf));
  if (layout === 'phone' && read.value !== undefined && read.value.length > 0) return <PositionCards columns={columns} rows={read.value} />;
  return (
    <Table
      label={text('futures.tables.positions')}
      columns={columns}
      read={read}
      keyOf={keyOf}
      empty={<p className="max-w-md">{text('futures.tables.noPositions')}</p>}
      skeletonRows={3}
    />
  );
}
