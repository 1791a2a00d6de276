/**
 * Balances are read by calls and heard on the account's stream. The amounts are those of the stream as long as it is whole, so that every page
 * shows what the trading page shows; what they are worth is of the call, which follows the prices.
 */
import type { Balance } from '@orrery/api';
import type { AccountView } from '../../platform/data/streams/streams.ts';

const keyOf = (balance: Balance): string => `${balance.balanceType}:${balance.coin}`;

/** A worth counts for the amount that it was estimated for. */
function worthOf(heard: Balance, read: Balance): Balance {
  return read.balance === heard.balance && read.availableBalance === heard.availableBalance
    ? { ...heard, estimatedTotalAmount: read.estimatedTotalAmount, estimatedAvailableAmount: read.estimatedAvailableAmount }
    : heard;
}

/** @param read `undefined` while no call was answered. @param stream `undefined` on pages without a feed. */
export function balancesOf(read: readonly Balance[] | undefined, stream: AccountView | undefined): readonly Balance[] | undefined {
  if (stream === undefined || !stream.isReady) return read;
  const readByKey = new Map(read?.map((balance) => [keyOf(balance), balance]));
  const heard = [...stream.balances].map(([key, balance]) => {
    const known = readByKey.get(key);
    return known === undefined ? balance : worthOf(balance, known);
  });
  // The stream leaves out what was empty when it began.
  const others = (read ?? []).filter((balance) => !stream.balances.has(keyOf(balance)) && !/[1-9]/.test(balance.balance));
  return [...heard, ...others];
}
