/** What a fund had ten minutes ago. */
import type { FundHoldings } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { mapped } from '../../kit/ui/loaded.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { coinName } from '../balances/coin-name.ts';

const POLL_MS = 60_000;
const kinds = ['coins', 'positions', 'orders'] as const;

type Coin = FundHoldings['balances'][number];
type Position = FundHoldings['positions'][number];
type Order = FundHoldings['orders'][number];

interface TableProps {
  readonly read: ReturnType<typeof useData<'fundHoldings'>>;
}

function Coins({ read }: TableProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns: readonly Column<Coin>[] = [
    { id: 'coin', header: text('quanto.coin'), cell: ({ coin }) => coinName(coin) },
    { id: 'amount', header: text('quanto.amount'), align: 'end', cell: ({ amount }) => format.number(amount) },
  ];
  return (
    <Table
      label={text('quanto.holding.coins')}
      columns={columns}
      read={mapped(read, ({ balances }) => balances)}
      keyOf={({ coin }) => coin}
      empty={text('quanto.noHoldings')}
    />
  );
}

function Positions({ read }: TableProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns: readonly Column<Position>[] = [
    { id: 'symbol', header: text('quanto.contract'), cell: ({ symbol }) => symbol.replace('_', '/') },
    { id: 'side', header: text('quanto.side'), cell: ({ positionSide }) => text(`quanto.side.${positionSide}`) },
    { id: 'size', header: text('quanto.size'), align: 'end', cell: ({ size }) => format.number(size) },
    {
      id: 'notional',
      header: text('quanto.notional'),
      align: 'end',
      cell: ({ notional }) => (notional === null ? UNKNOWN : format.number(notional, { decimals: 2 })),
    },
  ];
  return (
    <Table
      label={text('quanto.holding.positions')}
      columns={columns}
      read={mapped(read, ({ positions }) => positions)}
      keyOf={({ symbol, positionSide }) => `${symbol} ${positionSide}`}
      empty={text('quanto.noPositions')}
    />
  );
}

function Orders({ read }: TableProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const columns: readonly Column<Order & { readonly key: string }>[] = [
    { id: 'symbol', header: text('quanto.market'), cell: ({ symbol }) => symbol.replace('_', '/') },
    { id: 'side', header: text('quanto.side'), cell: ({ direction }) => text(`quanto.direction.${direction}`) },
    { id: 'price', header: text('quanto.price'), align: 'end', cell: ({ price }) => format.number(price) },
    { id: 'size', header: text('quanto.size'), align: 'end', cell: ({ size }) => format.number(size) },
  ];
  return (
    <Table
      label={text('quanto.holding.orders')}
      columns={columns}
      read={mapped(read, ({ orders }) => orders.map((order, index) => ({ ...order, key: String(index) })))}
      keyOf={({ key }) => key}
      empty={text('quanto.noOrders')}
    />
  );
}

const tables = { coins: Coins, positions: Positions, orders: Orders } as const;

export function Holdings({ fundId }: { readonly fundId: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [kind, setKind] = useChoiceInUrl({ name: 'holding', values: kinds, usual: 'coins' });
  const read = useData({ name: 'fundHoldings', input: { query: { fundId } }, of: 'everybody', pollMs: POLL_MS });
  const asOf = read.value?.asOf ?? null;
  const Chosen = tables[kind];
  const choices = (
    <Segmented
      size="small"
      label={text('quanto.holdings')}
      value={kind}
      choices={kinds.map((value) => ({ value, label: text(`quanto.holding.${value}`) }))}
      onChange={setKind}
    />
  );
  return (
    <Section title={text('quanto.holdings')} aside={choices}>
      {asOf === null && read.value !== undefined ? (
        // Nothing is known, which is not the same as holding nothing.
        <p className="px-4 py-6 text-center text-md text-fg2">{text('quanto.holdingsLater')}</p>
      ) : (
        <>
          {asOf !== null && <p className="px-4 pt-2 text-sm text-fg3">{text('quanto.holdingsAsOf', { time: format.time(asOf) })}</p>}
          <Chosen read={read} />
        </>
      )}
    </Section>
  );
}
