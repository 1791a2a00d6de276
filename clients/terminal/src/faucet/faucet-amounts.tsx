import type { ReactElement } from 'react';
import { coinName } from '../assets/coin-name.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Table } from '../ui/table.tsx';
import { useFaucet } from './claim.ts';

/** What one claim pays. */
export function FaucetAmounts(): ReactElement {
  const text = useText();
  const format = useFormat();
  const rows = useFaucet()?.amounts;
  return (
    <Table
      label={text('faucet.amounts')}
      rows={rows}
      skeletonRows={6}
      keyOf={(row) => row.coin}
      empty={text('assets.empty')}
      columns={[
        { id: 'coin', header: text('faucet.coin'), cell: (row) => <span className="font-medium">{coinName(row.coin)}</span> },
        { id: 'amount', header: text('faucet.amount'), align: 'end', cell: (row) => format.number(row.amount) },
      ]}
    />
  );
}
