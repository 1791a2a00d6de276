/** The coins of the exchange with their precisions; internal units of account are none of a person's business. */
import type { CoinInfo } from '@orrery/api';
import { useData } from '../../platform/data/use-data.ts';

export function useCoins(): readonly CoinInfo[] | undefined {
  return useData({ name: 'coins', of: 'everybody', staleMs: Number.POSITIVE_INFINITY }).value;
}

/** Decimals a coin has, for checking what is typed; 18 until the list is known. */
export function precisionOf(coins: readonly CoinInfo[] | undefined, coin: string): number {
  return coins?.find((candidate) => candidate.coin === coin)?.precision ?? 18;
}
