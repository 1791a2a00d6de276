/** Orders of contracts that stand, plan orders that wait for a price, and what protects positions. */
import type { FuturesOrder, Plan, ProfitStopTerms } from '@orrery/api';
import { contractNotional } from '@orrery/rules';
import { NO_TICKS, parseTicks } from '@orrery/units';
import { Pencil, X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { usePending } from '../../../platform/data/use-pending.ts';
import { multiplyDecimals } from '../../../kit/format/decimal.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { showSuccess } from '../../../kit/ui/toast.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { mapped } from '../../../kit/ui/loaded.ts';
import { change, useContractOrders } from '../account.ts';
import { useContractMarkets, useContractSizes } from '../../../market/use-contracts.ts';
import { remainingOf } from '../../shared/tables/amendment.ts';
import type { Amendment, AmendField } from '../../shared/tables/amendment.ts';
import { TimeCell } from '../../shared/tables/order-cells.tsx';
import type { AmendedOrder } from '../../shared/tables/amend-rules.ts';
import { useAmending } from '../../shared/tables/use-amending.ts';
import type { Amending } from '../../shared/tables/use-amending.ts';
import { actor } from '../../../kit/storage/account-in-view.ts';
import type { By } from '../../../kit/storage/account-in-view.ts';
import { useContractQuotes } from '../../../platform/data/streams/use-streams.ts';

/** Loaded when an order is changed in its row, with what sends the change: that must not wait for the network once more. */
const AmendCell = lazyPart(async () => {
  const [{ AmendCell: cell }] = await Promise.all([import('../../shared/tables/amend-cells.tsx'), import('./amend-contract.ts')]);
  return cell;
});

/** Few orders have a trigger that moves. */
const TrailingTrigger = lazyPart(async () => (await import('./trailing-trigger.tsx')).TrailingTrigger);

interface Row {
  readonly key: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly kind: string;
  readonly price: string | null;
  readonly trigger: string | null;
  /** A trigger that moves with the price. */
  readonly trailing?: Plan;
  /** `null`: the whole position. */
  readonly size: string | null;
  readonly executed: string;
  readonly note: string;
  readonly at: number;
  readonly cancel: () => Promise<unknown>;
  /** The order, where its price and size can be changed. */
  readonly amendable?: FuturesOrder;
}

type Words = ReturnType<typeof useText>;

function orderRow(order: FuturesOrder, text: Words): Row {
  const notes = [
    order.reduceOnly && text('futures.ticket.reduceOnly'),
    order.triggerProfitPrice !== null && `${text('futures.orders.tp')} ${order.triggerProfitPrice}`,
    order.triggerStopPrice !== null && `${text('futures.orders.sl')} ${order.triggerStopPrice}`,
  ];
  return {
    key: order.orderId,
    symbol: order.symbol,
    side: order.orderSide,
    kind: text(order.orderType === 'LIMIT' ? 'trade.ticket.limit' : 'trade.ticket.market'),
    price: order.price,
    trigger: null,
    size: order.origQty,
    executed: order.executedQty,
    note: notes.filter((note) => note !== false).join(' · '),
    at: order.createdTime,
    cancel: () => change('cancelFuturesOrder', { orderId: order.orderId }, actor()),
    ...(order.orderType === 'LIMIT' && order.origQty !== null && { amendable: order }),
  };
}

function planRow(plan: Plan, text: Words): Row {
  return {
    key: plan.entrustId,
    symbol: plan.symbol,
    side: plan.orderSide,
    kind: text(`futures.entrust.${plan.entrustType}`),
    price: plan.price,
    trigger: plan.stopPrice,
    size: plan.origQty,
    executed: plan.executedQty,
    note: [text(`futures.price.${plan.triggerPriceType}`), ...trailsBy(plan, text)].join(' · '),
    ...(plan.callbackRate !== null && { trailing: plan }),
    at: plan.createdTime,
    cancel: () => change('cancelPlan', { entrustId: plan.entrustId }, actor()),
  };
}

/** Of a trailing order how far it follows. */
const trailsBy = ({ callbackRate }: Plan, text: Words): readonly string[] =>
  callbackRate === null ? [] : [text('orderForm.trailsBy', { rate: multiplyDecimals(callbackRate, '100') })];

function stopRow(stop: ProfitStopTerms, text: Words): Row {
  return {
    key: stop.profitId,
    symbol: stop.symbol,
    side: stop.orderSide,
    kind: text(stop.triggerProfitPrice === null ? 'futures.ticket.stopLoss' : 'futures.ticket.takeProfit'),
    price: null,
    trigger: stop.triggerProfitPrice ?? stop.triggerStopPrice,
    size: stop.origQty,
    executed: stop.executedQty,
    note: text(`futures.price.${stop.triggerPriceType}`),
    at: stop.createdTime,
    cancel: () => change('cancelProfitStop', { profitId: stop.profitId }, actor()),
  };
}

interface ActionsProps {
  readonly row: Row;
  readonly amending: Amending;
  readonly coin: string;
}

function Amend({ order, amending, coin }: Omit<ActionsProps, 'row'> & { readonly order: FuturesOrder }): ReactElement {
  const text = useText();
  const format = useFormat();
  const values = {
    side: text(order.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: format.number(remainingOf(order)),
    coin,
  };
  const name = text('trade.tables.amendOne', values);
  return (
    <IconButton
      label={order.price === null ? name : `${name} ${text('trade.tables.at', { price: format.number(order.price) })}`}
      className="size-7"
      onClick={() => amending.begin({ ...order, stopPrice: null })}
    >
      <Pencil size={13} />
    </IconButton>
  );
}

function Actions({ row, amending, coin }: ActionsProps): ReactElement {
  const text = useText();
  const symbol = row.symbol.replace('_', '/');
  const format = useFormat();
  const at = row.trigger ?? row.price;
  const what = [
    text(row.side === 'BUY' ? 'trade.buy' : 'trade.sell'),
    row.size === null ? text('futures.orders.whole') : `${format.own(row.size)} ${coin}`,
    ...(at === null ? [] : [text('futures.orders.at', { price: format.number(at) })]),
  ].join(' ');
  const { pending, begin } = usePending(async () => {
    await row.cancel();
    showSuccess('trade.done.cancelled', { detail: `${row.kind} · ${symbol}` });
  });
  if (isAmending(row, amending)) {
    return (
      <span className="flex items-center justify-end gap-1">
        <Button
          kind="primary"
          size="small"
          className="h-6"
          busy={amending.phase === 'sending'}
          onClick={({ currentTarget }) => amending.save(currentTarget.closest('tr'))}
        >
          {text(amending.phase === 'unanswered' ? 'ui.sendAgain' : 'trade.tables.save')}
        </Button>
        <Button kind="quiet" size="small" className="h-6" onClick={amending.stop}>
          {text('trade.tables.keep')}
        </Button>
      </span>
    );
  }
  return (
    <span className="flex items-center justify-end gap-0.5">
      {row.amendable !== undefined && <Amend order={row.amendable} amending={amending} coin={coin} />}
      <IconButton
        label={text('futures.orders.cancel', { kind: row.kind, symbol, what })}
        className="size-7"
        aria-disabled={pending !== undefined}
        onClick={() => begin(undefined)}
      >
        <X size={15} />
      </IconButton>
    </span>
  );
}

const isAmending = ({ amendable }: Row, { amendment }: Amending): boolean =>
  amendable !== undefined && amendment?.orderId === amendable.orderId;

/** By its contract and its mark. */
function useAmended(): (order: FuturesOrder) => AmendedOrder | undefined {
  const markets = useContractMarkets().value;
  const quotes = useContractQuotes().value;
  return (order) => {
    const market = markets?.find(({ wire }) => wire === order.symbol);
    if (market === undefined) return undefined;
    const mark = quotes?.get(order.symbol)?.m;
    return {
      market,
      side: order.orderSide === 'BUY' ? 'buy' : 'sell',
      kind: 'limit',
      reference: (mark == null ? undefined : parseTicks(mark, market.pricePrecision)) ?? NO_TICKS,
      worth: (price, size) => contractNotional(price, size, market.margin),
      valueIn: { decimals: market.settleDecimals, coin: market.settleName },
      reduces: order.reduceOnly,
    };
  };
}

function useColumns(amending: Amending): readonly Column<Row>[] {
  const text = useText();
  const format = useFormat();
  const side = (row: Row): ReactNode => (
    <span className={row.side === 'BUY' ? 'text-up' : 'text-down'}>{text(row.side === 'BUY' ? 'trade.buy' : 'trade.sell')}</span>
  );
  const size = useContractSizes();
  const markets = useContractMarkets().value;
  const amended = useAmended();
  const price = ({ symbol }: Row, value: string | null): string => {
    const decimals = markets?.find(({ wire }) => wire === symbol)?.pricePrecision;
    return format.number(value ?? undefined, decimals === undefined ? {} : { decimals });
  };
  const edited = (row: Row, field: AmendField): ReactElement | undefined =>
    isAmending(row, amending) ? (
      <Panel room="line" loading={<Skeleton className="h-6 w-24" />}>
        <AmendCell amending={amending} field={field} order={row.amendable && amended(row.amendable)} isFirst={field === 'price'} />
      </Panel>
    ) : undefined;
  return [
    { id: 'time', header: text('trade.time'), wideOnly: true, roomyOnly: true, cell: (row) => <TimeCell at={row.at} /> },
    {
      id: 'contract',
      header: text('futures.position.contract'),
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className={classes('h-4 w-[3px]', row.side === 'BUY' ? 'bg-up' : 'bg-down')} aria-hidden="true" />
          <span className="font-medium">{row.symbol.replace('_', '/')}</span>
        </span>
      ),
    },
    { id: 'kind', header: text('trade.tables.type'), cell: (row) => row.kind },
    { id: 'side', header: text('trade.tables.side'), cell: side },
    { id: 'price', header: text('trade.price'), align: 'end', cell: (row) => edited(row, 'price') ?? price(row, row.price) },
    {
      id: 'trigger',
      header: text('trade.tables.trigger'),
      align: 'end',
      cell: (row) => {
        const market = row.trailing && markets?.find(({ wire }) => wire === row.symbol);
        return row.trailing === undefined || market === undefined ? (
          price(row, row.trigger)
        ) : (
          <Panel room="line" loading={<Skeleton className="h-4 w-20" />}>
            <TrailingTrigger plan={row.trailing} market={market} />
          </Panel>
        );
      },
    },
    {
      id: 'size',
      header: text('trade.tables.filled'),
      align: 'end',
      cell: (row) =>
        edited(row, 'size') ??
        (row.size === null ? text('futures.orders.whole') : `${format.own(row.executed)} / ${size(row.symbol, row.size)}`),
    },
    { id: 'note', header: text('futures.orders.note'), wideOnly: true, cell: (row) => <span className="text-fg2">{row.note}</span> },
    {
      id: 'actions',
      header: <span className="sr-only">{text('trade.tables.actions')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => <Actions row={row} amending={amending} coin={markets?.find(({ wire }) => wire === row.symbol)?.sizeName ?? ''} />,
    },
  ];
}

export type OrderList = 'open' | 'plans' | 'stops';

/** What no row of the list has. */
const EMPTY_COLUMN: Readonly<Record<OrderList, string | undefined>> = { open: 'trigger', plans: undefined, stops: 'price' };

/** @param wire of one contract only. */
export function ContractOrdersTable({ list, wire }: { readonly list: OrderList; readonly wire: string | undefined }): ReactElement {
  const text = useText();
  const { open, plans, stops } = useContractOrders();
  const send = async (amendment: Amendment, by: By): Promise<void> =>
    (await import('./amend-contract.ts')).amendContract(amendment, open.value ?? [], by);
  const columns = useColumns(useAmending(send)).filter(({ id }) => id !== EMPTY_COLUMN[list]);
  const rowsOf = {
    open: mapped(open, (orders) => orders.map((order) => orderRow(order, text))),
    plans: mapped(plans, (waiting) => waiting.map((plan) => planRow(plan, text))),
    stops: mapped(stops, (standing) => standing.map((stop) => stopRow(stop, text))),
  } as const;
  return (
    <Table
      label={text(`futures.tables.${list}`)}
      columns={columns}
      read={mapped(rowsOf[list], (rows) => rows.filter(({ symbol }) => wire === undefined || symbol === wire))}
      keyOf={(row) => row.key}
      empty={<p className="max-w-md">{text(`futures.tables.none.${list}`)}</p>}
      skeletonRows={3}
    />
  );
}
