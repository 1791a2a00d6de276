/** The balances of the signed-in account, in all three wallets. */
import type { Balance } from '@orrery/api';
import { useMemo } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useRunningAccount } from '../../platform/data/streams/use-running.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useSession } from '../../platform/session/session.ts';
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
  const { value: data, phase, retry } = useData({ name: 'balances', of: 'account', pollMs: POLL_MS });
  const stream = useRunningAccount();
  const rows = useMemo(() => (accountId === undefined ? undefined : balancesOf(data, stream)), [accountId, data, stream]);
  // What is known stays on the screen when it could not be read again.
  return { rows, failed: phase === 'failed' && rows === undefined, retry };
}

export const isPositive = (amount: string): boolean => compareDecimals(amount, '0') > 0;

export const inWallet = (rows: readonly Balance[] | undefined, wallet: WalletName): readonly Balance[] | undefined =>
  rows?.filter((row) => row.balanceType === wallet);

/** What of a coin can be moved out of a wallet now. */
export function availableIn(rows: readonly Balance[] | undefined, place: { readonly wallet: WalletName; readonly coin: string }): string {
  return rows?.find((row) => row.balanceType === place.wallet && row.coin === place.coin)?.availableBalance ?? '0';
}
