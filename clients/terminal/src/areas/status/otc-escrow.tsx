/** What the exchange holds for OTC trading, by coin: everybody may see that the parts add up. */
import type { OtcEscrow as Escrow } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Coin } from '../../kit/ui/coin-mark.tsx';
import { mapped } from '../../kit/ui/loaded.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useData } from '../../platform/data/use-data.ts';
import { coinName } from '../balances/coin-name.ts';

const POLL_MS = 30_000;

function useColumns(): readonly Column<Escrow>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'coin', header: text('status.otc.coin'), cell: ({ coin }) => <Coin name={coinName(coin)} /> },
    { id: 'advertised', header: text('status.otc.advertised'), align: 'end', cell: ({ advertised }) => format.number(advertised) },
    { id: 'inOrders', header: text('status.otc.inOrders'), align: 'end', cell: ({ inOrders }) => format.number(inOrders) },
    { id: 'deposits', header: text('status.otc.deposits'), align: 'end', wideOnly: true, cell: ({ deposits }) => format.number(deposits) },
    {
      id: 'total',
      header: text('status.otc.total'),
      align: 'end',
      cell: ({ total }) => <span className="font-semibold">{format.number(total)}</span>,
    },
  ];
}

export function OtcEscrow(): ReactElement {
  const text = useText();
  const read = useData({ name: 'otcInfo', of: 'everybody', pollMs: POLL_MS });
  return (
    <Section title={text('status.otc')}>
      <p className="border-b border-line px-4 py-3 text-sm text-fg2">{text('status.otc.lead')}</p>
      <Table
        label={text('status.otc')}
        columns={useColumns()}
        read={mapped(read, ({ escrow }) => escrow)}
        keyOf={({ coin }) => coin}
        empty={text('status.otc.empty')}
        skeletonRows={4}
      />
    </Section>
  );
}
