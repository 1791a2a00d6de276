/** Money on its way: deposits with their confirmations, withdrawals with their state, transfers. */
import type { Deposit, Transfer, Withdrawal, WithdrawalReview } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { RecordTable } from '../../platform/data/record-table.tsx';
import { useData } from '../../platform/data/use-data.ts';
import { TransactionLink } from '../explorer/transaction-link.tsx';
import { shortHash } from '../../kit/format/hash.ts';
import { isoTime } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Coin } from '../../kit/ui/coin-mark.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import type { Page } from '../../kit/ui/pager.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import type { DataColumn } from '../../kit/ui/data-columns.ts';
import { CoinAmount } from '../balances/coin-amount.tsx';
import { coinName } from '../balances/coin-name.ts';
import { wallets } from '../balances/wallets.ts';

/** While something that is listed moves on, and otherwise: what is begun here is read at once. */
const MOVING_POLL_MS = 3_000;
const POLL_MS = 15_000;

interface Followed<Row> {
  readonly load: (page: Page) => Promise<{ readonly list: readonly Row[]; readonly total: number }>;
  readonly isMoving: (row: Row) => boolean;
}

/** The list and its pace. Before it was read anything may be under way. */
function useFollowed<Row>({ load, isMoving }: Followed<Row>): Pick<Followed<Row>, 'load'> & { readonly pollMs: number } {
  const [isFollowed, follow] = useState(true);
  return {
    load: async (page) => {
      const answer = await load(page);
      follow(answer.list.some(isMoving));
      return answer;
    },
    pollMs: isFollowed ? MOVING_POLL_MS : POLL_MS,
  };
}

const depositTones: Readonly<Record<Deposit['state'], StateTone>> = {
  PENDING: 'waiting',
  CREDITED: 'done',
  SUSPENDED: 'failed',
  WRITTEN_OFF: 'failed',
};
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

function useCoinColumns(): { readonly coin: DataColumn<Amount>; readonly amount: DataColumn<Amount> } {
  const text = useText();
  return {
    coin: {
      id: 'coin',
      header: text('assets.coin'),
      cell: (row) => <Coin name={coinName(row.coin)} className="max-tablet:hidden" />,
      csv: (row) => coinName(row.coin),
      fixed: true,
    },
    amount: {
      id: 'amount',
      header: text('assets.amount'),
      align: 'end',
      cell: (row) => <CoinAmount coin={row.coin} value={row.amount} />,
      csv: (row) => row.amount,
      fixed: true,
    },
  };
}

/** Its withdrawals wait for it; one of a blocked account is suspended too, and is on the chain. */
const isAway = ({ state, blockNumber }: Deposit): boolean => state === 'SUSPENDED' && blockNumber === null;

function useDepositColumns(): readonly DataColumn<Deposit>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime), csv: (row) => isoTime(row.createdTime) },
    coin,
    amount,
    {
      id: 'status',
      header: text('assets.status'),
      cell: (row) => (
        <StateTag tone={depositTones[row.state]}>
          {text(isAway(row) ? 'deposit.away' : `deposit.state.${row.state}`, {
            confirmations: row.confirmations,
            required: row.requiredConfirmations,
          })}
        </StateTag>
      ),
      csv: (row) => row.state,
    },
    {
      id: 'transaction',
      header: text('assets.transaction'),
      align: 'end',
      wideOnly: true,
      cell: (row) => <TransactionLink hash={row.txHash} />,
      csv: (row) => row.txHash,
    },
  ];
}

export function Deposits(): ReactElement {
  const text = useText();
  const columns = useDepositColumns();
  const followed = useFollowed<Deposit>({
    load: (page) => ask('deposits', { query: { ...page } }),
    isMoving: ({ state }) => state === 'PENDING',
  });
  const query = { key: ['deposits'] as const, ...followed };
  const keyOf = (row: Deposit): string => `${row.txHash}:${row.logIndex}`;
  return (
    <RecordTable
      name="deposits"
      label={text('portfolio.latestDeposits')}
      columns={columns}
      query={query}
      keyOf={keyOf}
      empty={text('deposit.empty')}
    />
  );
}

/** What stands in the place of its transaction. */
function unsent({ internal, state }: Withdrawal): 'withdraw.internal' | 'withdraw.notSent' | 'assets.notSent' {
  if (internal) return 'withdraw.internal';
  return state === 'REFUNDED' ? 'withdraw.notSent' : 'assets.notSent';
}

const cancel = async (row: Withdrawal): Promise<void> => (await import('./cancel-withdrawal.ts')).cancelWithdrawal(row);

/** What its review adds to its state. */
type AddressState = 'WAITING' | 'CANCELLING' | 'CANCELLED' | 'REFUSED';

function statusOf({ state }: Withdrawal, review: WithdrawalReview | undefined): AddressState | undefined {
  if (review?.state === 'CANCELLED') return state === 'HELD' ? 'CANCELLING' : 'CANCELLED';
  if (review?.state === 'REFUSED') return 'REFUSED';
  return review?.state === 'WAITING' && state === 'HELD' ? 'WAITING' : undefined;
}

function WithdrawalStatus({ row, review }: { readonly row: Withdrawal; readonly review: WithdrawalReview | undefined }): ReactElement {
  const text = useText();
  const standing = statusOf(row, review);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 py-0.5">
      <StateTag tone={withdrawalTones[row.state]}>
        {text(standing === undefined ? `withdraw.state.${row.state}` : `withdraw.review.${standing}`)}
      </StateTag>
      {review?.cancellable === true && (
        <Button size="small" onClick={() => void cancel(row)}>
          {text('withdraw.cancel')}
        </Button>
      )}
      {standing === 'REFUSED' && review?.answer !== null && <span className="text-sm text-fg2">{review?.answer}</span>}
    </span>
  );
}

function useWithdrawalColumns(reviews: readonly WithdrawalReview[]): readonly DataColumn<Withdrawal>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime), csv: (row) => isoTime(row.createdTime) },
    coin,
    amount,
    {
      id: 'to',
      header: text('assets.to'),
      wideOnly: true,
      cell: (row) => (
        <span className="font-mono text-sm" title={row.to}>
          {shortHash(row.to)}
        </span>
      ),
      csv: (row) => row.to,
    },
    {
      id: 'status',
      header: text('assets.status'),
      cell: (row) => <WithdrawalStatus row={row} review={reviews.find(({ withdrawalId }) => withdrawalId === row.withdrawalId)} />,
      csv: (row) => row.state,
    },
    {
      id: 'transaction',
      header: text('assets.transaction'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (row.txHash === null ? <span className="text-fg3">{text(unsent(row))}</span> : <TransactionLink hash={row.txHash} />),
      csv: (row) => row.txHash ?? '',
    },
  ];
}

/** Why a person looks at a withdrawal of theirs. */
function ReviewNotice({ reviews }: { readonly reviews: readonly WithdrawalReview[] }): ReactElement | null {
  const text = useText();
  const cause = reviews.find(({ state }) => state === 'WAITING')?.cause ?? null;
  if (cause === null) return null;
  return (
    <div className="px-4 pt-3 pb-1">
      <Notice tone="info">{text(`withdraw.cause.${cause}`)}</Notice>
    </div>
  );
}

export function Withdrawals(): ReactElement {
  const text = useText();
  const { value: reviews = [] } = useData({ name: 'withdrawalReviews', of: 'account', pollMs: POLL_MS });
  const columns = useWithdrawalColumns(reviews);
  const waiting = new Set(reviews.filter(({ state }) => state === 'WAITING').map(({ withdrawalId }) => withdrawalId));
  const followed = useFollowed<Withdrawal>({
    load: (page) => ask('withdrawals', { query: { ...page } }),
    // One that waits for an operator may wait for days.
    isMoving: ({ state, withdrawalId }) => state === 'SENT' || (state === 'HELD' && !waiting.has(withdrawalId)),
  });
  const query = { key: ['withdrawals'] as const, ...followed };
  const keyOf = (row: Withdrawal): string => row.withdrawalId;
  return (
    <>
      <ReviewNotice reviews={reviews} />
      <RecordTable
        name="withdrawals"
        label={text('portfolio.latestWithdrawals')}
        columns={columns}
        query={query}
        keyOf={keyOf}
        empty={text('withdraw.empty')}
      />
    </>
  );
}

function useTransferColumns(): readonly DataColumn<Transfer>[] {
  const text = useText();
  const format = useFormat();
  const { coin, amount } = useCoinColumns();
  return [
    { id: 'time', header: text('assets.time'), cell: (row) => format.time(row.createdTime), csv: (row) => isoTime(row.createdTime) },
    coin,
    amount,
    { id: 'from', header: text('assets.from'), cell: (row) => text(wallets[row.from].label), csv: (row) => row.from },
    { id: 'to', header: text('assets.to'), cell: (row) => text(wallets[row.to].label), csv: (row) => row.to },
  ];
}

export function Transfers(): ReactElement {
  const text = useText();
  const columns = useTransferColumns();
  const query = { key: ['transfers'] as const, load: (page: Page) => ask('transfers', { query: { ...page } }), pollMs: POLL_MS };
  const keyOf = (row: Transfer): string => row.transferId;
  return (
    <RecordTable
      name="transfers"
      label={text('portfolio.latestTransfers')}
      columns={columns}
      query={query}
      keyOf={keyOf}
      empty={text('transfers.empty')}
    />
  );
}
