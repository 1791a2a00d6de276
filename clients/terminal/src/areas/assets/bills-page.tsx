import { BILL_KINDS } from '@orrery/api';
import type { Bill } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { RecordTable } from '../../platform/data/record-table.tsx';
import { shortHash } from '../../kit/format/hash.ts';
import { isoTime } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Coin } from '../../kit/ui/coin-mark.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import type { Page as PageOfList } from '../../kit/ui/pager.tsx';
import { Select } from '../../kit/ui/select.tsx';
import type { DataColumn } from '../../kit/ui/data-columns.ts';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { AssetNav } from './asset-nav.tsx';
import { CoinAmount } from '../balances/coin-amount.tsx';
import { coinName } from '../balances/coin-name.ts';
import { SmallAmount } from '../balances/fee-amount.tsx';
import { isBelowPrecision } from '../balances/fee-text.ts';
import { WALLETS, wallets } from '../balances/wallets.ts';

const ACCOUNTS = ['any', ...WALLETS] as const;
const TYPES = ['any', ...BILL_KINDS] as const;

interface Filter {
  readonly account: (typeof ACCOUNTS)[number];
  readonly type: (typeof TYPES)[number];
}

interface FiltersProps {
  readonly filter: Filter;
  readonly onAccount: (account: Filter['account']) => void;
  readonly onType: (type: Filter['type']) => void;
}

function Filters({ filter, onAccount, onType }: FiltersProps): ReactElement {
  const text = useText();
  return (
    <div className="flex gap-2">
      <Select
        size="small"
        label={text('assets.account')}
        value={filter.account}
        choices={[
          { value: 'any', label: text('bills.anyAccount') },
          ...WALLETS.map((value) => ({ value, label: text(wallets[value].label) })),
        ]}
        onChange={onAccount}
      />
      <Select
        size="small"
        label={text('bills.type')}
        value={filter.type}
        choices={[
          { value: 'any', label: text('bills.anyType') },
          ...BILL_KINDS.map((value) => ({ value, label: text(`bills.type.${value}`) })),
        ]}
        onChange={onType}
      />
    </div>
  );
}

function useColumns(): readonly DataColumn<Bill>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'time',
      header: text('assets.time'),
      cell: (row) => format.time(row.createdTime),
      csv: (row) => isoTime(row.createdTime),
      fixed: true,
    },
    {
      id: 'account',
      header: text('assets.account'),
      cell: (row) => text(wallets[row.account].label),
      csv: (row) => row.account,
      wideOnly: true,
    },
    {
      id: 'type',
      header: text('bills.type'),
      cell: (row) => <span className="inline-block max-tablet:w-18 max-tablet:whitespace-normal">{text(`bills.type.${row.type}`)}</span>,
      csv: (row) => row.type,
    },
    {
      id: 'coin',
      header: text('assets.coin'),
      cell: (row) => <Coin name={coinName(row.coin)} className="max-tablet:hidden" />,
      csv: (row) => coinName(row.coin),
      fixed: true,
    },
    {
      id: 'amount',
      header: text('assets.amount'),
      align: 'end',
      // A small fee is a change all the same.
      cell: ({ coin, amount }) =>
        isBelowPrecision(amount, coin) ? (
          <SmallAmount coin={coin} value={amount} />
        ) : (
          <CoinAmount coin={coin} value={amount} sign="always" />
        ),
      csv: (row) => row.amount,
      fixed: true,
    },
    {
      id: 'after',
      header: text('bills.after'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <CoinAmount coin={row.coin} value={row.afterAmount} />,
      csv: (row) => row.afterAmount,
    },
    {
      id: 'reference',
      header: text('bills.reference'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (
        <span className="font-mono text-sm text-fg2" title={row.reference}>
          {shortHash(row.reference)}
        </span>
      ),
      csv: (row) => row.reference,
    },
  ];
}

function BillList({ filter }: { readonly filter: Filter }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const query = {
    key: ['bills', filter] as const,
    load: (page: PageOfList) =>
      ask('bills', {
        query: {
          ...page,
          ...(filter.account !== 'any' && { account: filter.account }),
          ...(filter.type !== 'any' && { type: filter.type }),
        },
      }),
  };
  const keyOf = (row: Bill): string => row.id;
  return <RecordTable name="bills" label={text('bills.title')} columns={columns} query={query} keyOf={keyOf} empty={text('bills.empty')} />;
}

export function BillsPage(): ReactElement {
  const text = useText();
  const [account, setAccount] = useChoiceInUrl({ name: 'account', values: ACCOUNTS, usual: 'any', lists: ['bills'] });
  const [type, setType] = useChoiceInUrl({ name: 'type', values: TYPES, usual: 'any', lists: ['bills'] });
  const filter = { account, type };
  return (
    <Page title={text('bills.title')} lead={text('bills.lead')}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <Section title={text('bills.title')} aside={<Filters filter={filter} onAccount={setAccount} onType={setType} />}>
          <BillList key={`${filter.account}:${filter.type}`} filter={filter} />
        </Section>
      </SignedInOnly>
    </Page>
  );
}
