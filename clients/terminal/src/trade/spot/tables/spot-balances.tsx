/** The spot wallet, live. Small balances can be hidden. */
import type { Balance } from '@orrery/api';
import type { ReactElement } from 'react';
import { CoinAmount } from '../../../areas/balances/coin-amount.tsx';
import { shownName } from '../../../market/market.ts';
import { useAccount } from '../../../platform/data/streams/use-account.ts';
import { compareDecimals } from '../../../kit/format/decimal.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { mapped } from '../../../kit/ui/loaded.ts';

/** Worth less than this, in USDC, is small. */
const SMALL = '1';

export const isSmall = (balance: Balance): boolean => compareDecimals(balance.estimatedTotalAmount ?? balance.balance, SMALL) < 0;

function useColumns(): readonly Column<Balance>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'coin', header: text('trade.tables.coin'), cell: (balance) => <span className="font-medium">{shownName(balance.coin)}</span> },
    {
      id: 'total',
      header: text('trade.tables.all'),
      align: 'end',
      cell: (balance) => <CoinAmount coin={balance.coin} value={balance.balance} />,
    },
    {
      id: 'free',
      header: text('trade.tables.free'),
      align: 'end',
      cell: (balance) => <CoinAmount coin={balance.coin} value={balance.availableBalance} />,
    },
    {
      id: 'held',
      header: text('trade.tables.held'),
      align: 'end',
      wideOnly: true,
      cell: (balance) => <CoinAmount coin={balance.coin} value={balance.freeze} />,
    },
    {
      id: 'worth',
      header: text('trade.tables.worth'),
      align: 'end',
      cell: (balance) => format.ownFiat(balance.estimatedTotalAmount ?? undefined),
    },
  ];
}

export function SpotBalances(): ReactElement {
  const text = useText();
  const account = useAccount();
  const hideSmall = useSettings((settings) => settings.hideSmallBalances);
  const columns = useColumns();
  const held = mapped(account, ({ balances }) =>
    [...balances.values()].filter((balance) => balance.balanceType === 'spot' && compareDecimals(balance.balance, '0') > 0),
  );
  const shown = mapped(held, (spot) =>
    spot
      .filter((balance) => !hideSmall || !isSmall(balance))
      .toSorted((left, right) => compareDecimals(right.estimatedTotalAmount ?? '0', left.estimatedTotalAmount ?? '0')),
  );
  return (
    <Table
      label={text('trade.tables.balances')}
      columns={columns}
      read={shown}
      keyOf={(balance) => balance.coin}
      empty={<p className="max-w-md">{text(held.value?.length === 0 ? 'trade.tables.balancesEmpty' : 'trade.tables.balancesHidden')}</p>}
      skeletonRows={4}
    />
  );
}
