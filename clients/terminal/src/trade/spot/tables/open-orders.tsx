/** Orders that stand or wait, live from the account's own stream. */
import type { Order } from '@orrery/api';
import { notional } from '@orrery/rules';
import { NO_TICKS } from '@orrery/units';
import { Pencil, X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { TradedMarket } from '../../../market/market.ts';
import { useMarketTerms } from '../../../market/markets.ts';
import { useAccount } from '../../../platform/data/streams/use-account.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { amendFields, isAmendable, isWaiting } from '../../shared/tables/amendment.ts';
import type { Amendment, AmendField } from '../../shared/tables/amendment.ts';
import { KindCell } from './kind-cell.tsx';
import { TimelineButton } from './timeline-button.tsx';
import type { AmendedOrder } from '../../shared/tables/amend-rules.ts';
import { useAmending } from '../../shared/tables/use-amending.ts';
import type { Amending } from '../../shared/tables/use-amending.ts';
import { FilledCell, MarketCell, PriceCell, SideCell, SizeCell, StatusCell, TimeCell } from '../../shared/tables/order-cells.tsx';
import type { By } from '../../../kit/storage/account-in-view.ts';
import { useOrderName } from './use-order-name.ts';
import { useCancel } from '../../shared/tables/use-cancel.ts';
import type { Cancelling } from '../../shared/tables/use-cancel.ts';
import { mapped } from '../../../kit/ui/loaded.ts';

/** Loaded when an order is changed in its row, with what sends the change: that must not wait for the network once more. */
const AmendCell = lazyPart(async () => {
  const [{ AmendCell: cell }] = await Promise.all([import('../../shared/tables/amend-cells.tsx'), import('./send-amendment.ts')]);
  return cell;
});
const send = async (amendment: Amendment, by: By): Promise<void> => (await import('./send-amendment.ts')).sendAmendment(amendment, by);

interface ActionsProps {
  readonly order: Order;
  readonly amending: Amending;
  readonly cancelling: Cancelling;
}

function Actions({ order, amending, cancelling }: ActionsProps): ReactElement {
  const text = useText();
  const nameOf = useOrderName();
  if (amending.amendment?.orderId === order.orderId) {
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
      <TimelineButton order={order} />
      {isAmendable(order) && (
        <IconButton label={nameOf('amendOne', order)} className="size-7" onClick={() => amending.begin(order)}>
          <Pencil size={13} />
        </IconButton>
      )}
      <IconButton
        label={nameOf('cancelOne', order)}
        className="size-7"
        aria-disabled={cancelling.isCancelling(order.orderId)}
        onClick={() => cancelling.cancel(order.orderId)}
      >
        <X size={15} />
      </IconButton>
    </span>
  );
}

/** The band is measured from prices that only the market in view has: beyond it the exchange refuses. */
function amendedOf(order: Order, markets: readonly TradedMarket[] | undefined): AmendedOrder | undefined {
  const market = markets?.find(({ symbol }) => symbol === order.symbol);
  return (
    market && {
      market,
      side: order.orderSide === 'BUY' ? 'buy' : 'sell',
      kind: isWaiting(order) ? 'stop' : 'limit',
      reference: NO_TICKS,
      worth: (price, size) => notional(price, size, market.terms),
      valueIn: { decimals: market.quoteDecimals, coin: market.quoteName },
      reduces: false,
    }
  );
}

/** On a phone there is no column for the kind: it stands below the market. */
function MarketWithKind({ order }: { readonly order: Order }): ReactElement {
  return (
    <span className="inline-flex flex-col">
      <MarketCell symbol={order.symbol} direction={order.orderSide} />
      <span className="max-w-32 text-sm whitespace-normal text-fg2 tablet:hidden">
        <KindCell order={order} />
      </span>
    </span>
  );
}

/** On a phone there is no column for the trigger: it stands below the price. */
function Prices({ order }: { readonly order: Order }): ReactElement {
  const text = useText();
  return (
    <span className="inline-flex flex-col items-end leading-tight">
      <PriceCell symbol={order.symbol} value={order.price} />
      {order.stopPrice !== null && (
        <span className="text-sm text-fg3 tablet:hidden">
          {text('trade.tables.trigger')} <PriceCell symbol={order.symbol} value={order.stopPrice} />
        </span>
      )}
    </span>
  );
}

function useColumns(amending: Amending, cancelling: Cancelling): readonly Column<Order>[] {
  const text = useText();
  const markets = useMarketTerms().value;
  const edited = (order: Order, field: AmendField): ReactElement | undefined => {
    const fields = amending.amendment?.orderId === order.orderId ? amendFields(order) : [];
    if (!fields.includes(field)) return undefined;
    return (
      <Panel room="line" loading={<Skeleton className="h-6 w-24" />}>
        <AmendCell amending={amending} field={field} order={amendedOf(order, markets)} isFirst={fields[0] === field} />
      </Panel>
    );
  };
  return [
    { id: 'time', header: text('trade.time'), wideOnly: true, roomyOnly: true, cell: (order) => <TimeCell at={order.createdTime} /> },
    {
      id: 'market',
      header: text('trade.tables.market'),
      cell: (order) => <MarketWithKind order={order} />,
    },
    { id: 'type', header: text('trade.tables.type'), wideOnly: true, cell: (order) => <KindCell order={order} /> },
    { id: 'side', header: text('trade.tables.side'), cell: (order) => <SideCell direction={order.orderSide} /> },
    {
      id: 'price',
      header: text('trade.price'),
      align: 'end',
      cell: (order) => edited(order, 'price') ?? <Prices order={order} />,
    },
    {
      id: 'size',
      header: text('trade.size'),
      align: 'end',
      cell: (order) => edited(order, 'size') ?? <SizeCell symbol={order.symbol} value={order.origQty} />,
    },
    { id: 'filled', header: text('trade.tables.filled'), align: 'end', wideOnly: true, cell: (order) => <FilledCell order={order} /> },
    {
      id: 'trigger',
      header: text('trade.tables.trigger'),
      align: 'end',
      wideOnly: true,
      cell: (order) => edited(order, 'trigger') ?? <PriceCell symbol={order.symbol} value={order.stopPrice} />,
    },
    { id: 'status', header: text('trade.tables.status'), wideOnly: true, cell: (order) => <StatusCell order={order} /> },
    {
      id: 'actions',
      header: <span className="sr-only">{text('trade.tables.actions')}</span>,
      align: 'end',
      pinned: true,
      cell: (order) => <Actions order={order} amending={amending} cancelling={cancelling} />,
    },
  ];
}

export function OpenOrders({ symbol }: { readonly symbol: string | undefined }): ReactElement {
  const text = useText();
  const account = useAccount();
  const amending = useAmending(send);
  const columns = useColumns(amending, useCancel());
  return (
    <Table
      label={text('trade.tables.open')}
      columns={columns}
      read={mapped(account, ({ orders }) => orders.filter((order) => symbol === undefined || order.symbol === symbol))}
      keyOf={(order) => order.orderId}
      empty={<p className="max-w-md">{text('trade.tables.openEmpty')}</p>}
      skeletonRows={4}
    />
  );
}
