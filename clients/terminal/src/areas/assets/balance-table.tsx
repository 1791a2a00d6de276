import type { Balance } from '@orrery/api';
import type { ReactElement } from 'react';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { openFaucet } from '../onboarding/actions.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { Coin } from '../../kit/ui/coin-mark.tsx';
import { coinName } from '../balances/coin-name.ts';
import { CoinAmount } from '../balances/coin-amount.tsx';
import { inWallet, isPositive, useBalances } from '../balances/use-balances.ts';
import type { WalletName } from '../balances/use-balances.ts';
import { wallets } from '../balances/wallets.ts';
import { BalanceActions } from './balance-actions.tsx';
import { mapped } from '../../kit/ui/loaded.ts';

/** Worth less than this in USDC, a balance is small. */
const SMALL = '1';
/** The most valuable first; what has no price last. */
const byValue = (left: Balance, right: Balance): number =>
  compareDecimals(right.estimatedTotalAmount ?? '0', left.estimatedTotalAmount ?? '0');

const isSmall = (row: Balance): boolean => row.estimatedTotalAmount !== null && compareDecimals(row.estimatedTotalAmount, SMALL) < 0;

function useColumns(wallet: WalletName | undefined): readonly Column<Balance>[] {
  const text = useText();
  const format = useFormat();
  const account: Column<Balance> = { id: 'account', header: text('assets.account'), cell: (row) => text(wallets[row.balanceType].label) };
  return [
    { id: 'coin', header: text('assets.coin'), cell: (row) => <Coin name={coinName(row.coin)} /> },
    ...(wallet === undefined ? [account] : []),
    { id: 'total', header: text('assets.totalAmount'), align: 'end', cell: (row) => <CoinAmount coin={row.coin} value={row.balance} /> },
    {
      id: 'available',
      header: text('assets.available'),
      align: 'end',
      cell: (row) => <CoinAmount coin={row.coin} value={row.availableBalance} />,
      wideOnly: true,
      roomyOnly: true,
    },
    {
      id: 'held',
      header: text('assets.held'),
      align: 'end',
      cell: (row) => <CoinAmount coin={row.coin} value={row.freeze} />,
      wideOnly: true,
    },
    {
      id: 'value',
      header: text('assets.value'),
      align: 'end',
      cell: (row) => format.own(row.estimatedTotalAmount ?? undefined, { decimals: 2 }),
    },
    {
      id: 'actions',
      header: <span className="sr-only">{text('assets.actions')}</span>,
      align: 'end',
      cell: (row) => <BalanceActions row={row} />,
    },
  ];
}

export interface BalanceTableProps {
  /** All wallets when left out. */
  readonly wallet?: WalletName;
}

export function BalanceTable({ wallet }: BalanceTableProps): ReactElement {
  const text = useText();
  const read = useBalances();
  const hidesSmall = useSettings((settings) => settings.hideSmallBalances);
  const columns = useColumns(wallet);
  const held = mapped(read, (rows) =>
    (wallet === undefined ? rows : (inWallet(rows, wallet) ?? [])).filter((row) => isPositive(row.balance)).toSorted(byValue),
  );
  const shown = hidesSmall ? mapped(held, (rows) => rows.filter((row) => !isSmall(row))) : held;
  const hidAll = held.value !== undefined && held.value.length > 0;
  const empty = hidAll ? (
    text('assets.emptySmall')
  ) : (
    <>
      <p>{text('assets.empty')}</p>
      <Button size="small" onClick={() => void openFaucet()}>
        {text('assets.getTokens')}
      </Button>
    </>
  );
  return (
    <Table
      label={text('portfolio.balances')}
      columns={columns}
      read={shown}
      keyOf={(row) => `${row.balanceType}:${row.coin}`}
      empty={empty}
    />
  );
}
