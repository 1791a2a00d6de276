/** `/otc/orders`: what the person has bought and sold, newest first. */
import type { OtcOrder } from '@orrery/api';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { Select } from '../../kit/ui/select.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useIsWide } from '../../kit/ui/use-is-wide.ts';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { coinName } from '../balances/coin-name.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useOtcNews } from './follow-otc.ts';
import { OrderStatus } from './order-status.tsx';
import { OtcNav } from './otc-nav.tsx';
import { TraderName } from './trader.tsx';
import { useOtcWords } from './use-otc.ts';

const LIST = 'otcOrders';
const SHOWN = ['ALL', 'OPEN', 'RELEASED', 'CANCELLED'] as const;
/** The stream brings each step. */
const POLL_MS = 20_000;

interface RowProps {
  readonly row: OtcOrder;
}

function Subject({ row: { orderId, side, coin, unread, createdTime } }: RowProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <span className="flex flex-col py-1.5">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Link
          to="/otc/order/$orderId"
          params={{ orderId }}
          aria-label={text('otc.list.open', { id: orderId })}
          className="font-semibold underline decoration-line underline-offset-2 hover:decoration-fg2"
        >
          {`${text(`otc.order.${side}`, { coin: coinName(coin) })} · ${orderId}`}
        </Link>
        {unread > 0 && <span className="text-sm text-warn">{text('otc.list.unread', { count: unread })}</span>}
      </span>
      <span className="text-fg3">{format.time(createdTime)}</span>
    </span>
  );
}

function Sums({ row: { amount, coin, total, currency } }: RowProps): ReactElement {
  const words = useOtcWords();
  return (
    <span className="flex flex-col py-1.5 tabular-nums">
      <span>{words.exact(amount, coin)}</span>
      <span className="text-fg3">{words.money(total, currency)}</span>
    </span>
  );
}

function useColumns(): readonly Column<OtcOrder>[] {
  const text = useText();
  return [
    { id: 'order', header: text('otc.list.order'), cell: (row) => <Subject row={row} /> },
    { id: 'with', header: text('otc.list.with'), wideOnly: true, cell: (row) => <TraderName trader={row.counterpart} /> },
    { id: 'amount', header: `${text('otc.list.amount')} / ${text('otc.list.total')}`, align: 'end', cell: (row) => <Sums row={row} /> },
    { id: 'status', header: text('otc.list.status'), cell: (row) => <OrderStatus status={row.status} /> },
  ];
}

/** A phone has no room beside them for the state. */
function useNarrowColumns(): readonly Column<OtcOrder>[] {
  const text = useText();
  return [
    {
      id: 'order',
      header: text('otc.list.order'),
      cell: (row) => (
        <span className="flex flex-col items-start py-1">
          <Subject row={row} />
          <OrderStatus status={row.status} />
        </span>
      ),
    },
    { id: 'amount', header: `${text('otc.list.amount')} / ${text('otc.list.total')}`, align: 'end', cell: (row) => <Sums row={row} /> },
  ];
}

function Orders(): ReactElement {
  const text = useText();
  useOtcNews();
  const [shown, setShown] = useChoiceInUrl({ name: 'show', values: SHOWN, usual: 'ALL', lists: [LIST] });
  const query = usePageQuery<OtcOrder>({
    key: [LIST, shown],
    pollMs: POLL_MS,
    load: (page) => ask('otcOrders', { query: { ...page, ...(shown !== 'ALL' && { status: shown }) } }),
  });
  const [wide, narrow] = [useColumns(), useNarrowColumns()];
  const columns = useIsWide() ? wide : narrow;
  const choices = SHOWN.map((value) => ({ value, label: text(`otc.list.${value}`) }));
  return (
    <Section
      title={text('otc.orders')}
      aside={<Select label={text('otc.list.filter')} size="small" value={shown} choices={choices} onChange={setShown} />}
    >
      <PagedTable query={query} label={text('otc.orders')} columns={columns} keyOf={(row) => row.orderId} empty={text('otc.list.empty')} />
    </Section>
  );
}

export function OrdersPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('otc.orders')}>
      <OtcNav />
      <SignedInOnly invitation="otc.connect">
        <Orders />
      </SignedInOnly>
    </Page>
  );
}
