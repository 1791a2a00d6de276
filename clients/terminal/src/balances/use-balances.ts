/** The balances of the signed-in account, in all three wallets. */
import type { Balance } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { http } from '../client/client.ts';
import { useRunningAccount } from '../feed/use-feed.ts';
import { compareDecimals } from '../format/decimal.ts';
import { useSession } from '../session/session.ts';
import { balancesOf } from './one-source.ts';

export type WalletName = Balance['balanceType'];

export interface Balances {
  /** `undefined` while loading, and for visitors. */
  readonly rows: readonly Balance[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

const POLL_MS = 5_000;

export function useBalances(): Balances {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const { data, isError, refetch } = useQuery({
    queryKey: ['balances', accountId],
    queryFn: () => http.load('balances'),
    enabled: accountId !== undefined,
    refetchInterval: POLL_MS,
  });
  const stream = useRunningAccount();
  const rows = useMemo(() => (accountId === undefined ? undefined : balancesOf(data, stream)), [accountId, data, stream]);
  // What is known stays on the screen when it could not be read again.
  return { rows, failed: isError && rows === undefined, retry: () => void refetch() };
}

export const isPositive = (amount: string): boolean => compareDecimals(amount, '0') > 0;

export const inWallet = (rows: readonly Balance[] | undefined, wallet: WalletName): readonly Balance[] | undefined =>
  rows?.filter((row) => row.balanceType === wallet);

/** What of a coin can be moved out of a wallet now. */
export function availableIn(rows: readonly Balance[] | undefined, place: { readonly wallet: WalletName; readonly coin: string }): string {
  return rows?.find((row) => row.balanceType === place.wallet && row.coin === place.coin)?.availableBalance ?? '0';
}
