/** Money on its way: deposits with their confirmations, withdrawals with their state, transfers. */
import type { Deposit, Transfer, Withdrawal } from '@orrery/api';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { usePageQuery } from '../session/use-page-query.ts';
import { TransactionLink } from '../explorer/transaction-link.tsx';
import { shortHash } from '../format/hash.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Coin } from '../ui/coin-mark.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { StateTag } from '../ui/state-tag.tsx';
import type { StateTone } from '../ui/state-tag.tsx';
import type { Column } from '../ui/table.tsx';
import { CoinAmount } from '../balances/coin-amount.tsx';
import { coinName } from '../balances/coin-name.ts';
import { walletLabel } from '../balances/wallet-label.ts';

const POLL_MS = 3_000;

const depositTones: Readonly<Record<Deposit['state'], StateTone>> = { PENDING: 'waiting', CREDITED: 'done', SUSPENDED: 'failed' };
const withdrawalTones: Readonly<Record<Withdrawal['state'], StateTone>> = {
  HELD: 'waiting',
  SENT: 'waiting',
  POSTED: 'done',
  REFUNDED: 'failed',
};

interface Amount {
  readonly coin: string;
  readonly amount: string;
}

function useCoinColumns(): { readonly coin: Column<Amount>; readonly amount: Column<Amount> } {
  const text = useText();
  return {
    coin: { id: 'coin', header: text('assets.coin'), cell: (row) => <Coin name={coinName(row.coin)} className="max-tablet:hidden" /> },
    amount: { id: 'amount', header: text('assets.amount'), align: 'end', cell: (row) => <CoinAmount coin={row.coin} value={row.amount} /> },
  };
}

function useDepositColumns(): readonly Column<Deposit>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime) },
    coin,
    amount,
    {
      id: 'status',
      header: text('assets.status'),
      cell: (row) => (
        <StateTag tone={depositTones[row.state]}>
          {text(`deposit.state.${row.state}`, { confirmations: row.confirmations, required: row.requiredConfirmations })}
        </StateTag>
      ),
    },
    {
      id: 'transaction',
      header: text('assets.transaction'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <TransactionLink hash={row.txHash} />,
    },
  ];
}

export function Deposits(): ReactElement {
  const text = useText();
  const columns = useDepositColumns();
  const query = usePageQuery<Deposit>({
    key: ['deposits'],
    load: (page) => http.load('deposits', { query: { ...page } }),
    pollMs: POLL_MS,
  });
  const keyOf = (row: Deposit): string => `${row.txHash}:${row.logIndex}`;
  return (
    <PagedTable label={text('portfolio.latestDeposits')} query={query} columns={columns} keyOf={keyOf} empty={text('deposit.empty')} />
  );
}

function useWithdrawalColumns(): readonly Column<Withdrawal>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime) },
    coin,
    amount,
    {
      id: 'to',
      header: text('assets.to'),
      wideOnly: true,
      cell: (row) => (
        <span className="font-mono text-[0.92em]" title={row.to}>
          {shortHash(row.to)}
        </span>
      ),
    },
    {
      id: 'status',
      header: text('assets.status'),
      cell: (row) => <StateTag tone={withdrawalTones[row.state]}>{text(`withdraw.state.${row.state}`)}</StateTag>,
    },
    {
      id: 'transaction',
      header: text('assets.transaction'),
      align: 'end',
      wideOnly: true,
      cell: (row) =>
        row.txHash === null ? <span className="text-fg3">{text('assets.notSent')}</span> : <TransactionLink hash={row.txHash} />,
    },
  ];
}

export function Withdrawals(): ReactElement {
  const text = useText();
  const columns = useWithdrawalColumns();
  const query = usePageQuery<Withdrawal>({
    key: ['withdrawals'],
    load: (page) => http.load('withdrawals', { query: { ...page } }),
    pollMs: POLL_MS,
  });
  const keyOf = (row: Withdrawal): string => row.withdrawalId;
  return (
    <PagedTable label={text('portfolio.latestWithdrawals')} query={query} columns={columns} keyOf={keyOf} empty={text('withdraw.empty')} />
  );
}

function useTransferColumns(): readonly Column<Transfer>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime) },
    coin,
    amount,
    { id: 'from', header: text('assets.from'), cell: (row) => text(walletLabel[row.from]) },
    { id: 'to', header: text('assets.to'), cell: (row) => text(walletLabel[row.to]) },
  ];
}

export function Transfers(): ReactElement {
  const text = useText();
  const columns = useTransferColumns();
  const query = usePageQuery<Transfer>({
    key: ['transfers'],
    load: (page) => http.load('transfers', { query: { ...page } }),
    pollMs: POLL_MS,
  });
  const keyOf = (row: Transfer): string => row.transferId;
  return (
    <PagedTable label={text('portfolio.latestTransfers')} query={query} columns={columns} keyOf={keyOf} empty={text('transfers.empty')} />
  );
}
