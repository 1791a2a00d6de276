/** The balances of the signed-in account, in all its wallets. */
import type { Balance } from '@orrery/api';
import { useMemo } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useRunningAccount, useRunningAccountHealth } from '../../platform/data/streams/use-running.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useSession } from '../../platform/session/session.ts';
import { balancesOf } from './one-source.ts';
import { known, mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';

export type WalletName = Balance['balanceType'];

const POLL_MS = 5_000;
/** While the stream brings the amounts, and only what they are worth is of the call. */
const WORTH_POLL_MS = 15_000;

/** Idle for visitors. */
export function useBalances(): Loaded<readonly Balance[]> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const stream = useRunningAccount();
  const pollMs = stream?.isReady === true ? WORTH_POLL_MS : POLL_MS;
  const read = useData({ name: 'balances', of: 'account', pollMs });
  const { value: data } = read;
  const rows = useMemo(() => (accountId === undefined ? undefined : balancesOf(data, stream)), [accountId, data, stream]);
  const isHeard = useRunningAccountHealth() === 'fresh' && stream?.isReady === true;
  // The stream may know what could not be read, and goes on where it could not be read again; where it is away too, nothing does.
  if (rows !== undefined && (isHeard || data === undefined)) return known(rows);
  return mapped(read, (balances) => rows ?? balances);
}

export const isPositive = (amount: string): boolean => compareDecimals(amount, '0') > 0;

export const inWallet = (rows: readonly Balance[] | undefined, wallet: WalletName): readonly Balance[] | undefined =>
  rows?.filter((row) => row.balanceType === wallet);

/** What of a coin can be moved out of a wallet now. */
export function availableIn(rows: readonly Balance[] | undefined, place: { readonly wallet: WalletName; readonly coin: string }): string {
  return rows?.find((row) => row.balanceType === place.wallet && row.coin === place.coin)?.availableBalance ?? '0';
}
