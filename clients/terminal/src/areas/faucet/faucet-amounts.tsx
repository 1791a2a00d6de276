import type { FaucetStatus } from '@orrery/api';
import type { ReactElement } from 'react';
import { coinName } from '../balances/coin-name.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Coin } from '../../kit/ui/coin-mark.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useFaucetReading } from './claim.ts';
import { mapped } from '../../kit/ui/loaded.ts';

type Grant = FaucetStatus['amounts'][number];

function useColumns(): readonly Column<Grant>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'coin', header: text('faucet.coin'), cell: (row) => <Coin name={coinName(row.coin)} /> },
    { id: 'amount', header: text('faucet.amount'), align: 'end', cell: (row) => format.number(row.amount) },
  ];
}

/** What one claim pays. */
export function FaucetAmounts(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const read = useFaucetReading();
  return (
    <Table
      label={text('faucet.amounts')}
      columns={columns}
      read={mapped(read, ({ amounts }) => amounts)}
      skeletonRows={6}
      keyOf={(row) => row.coin}
      empty={text('assets.empty')}
    />
  );
}
