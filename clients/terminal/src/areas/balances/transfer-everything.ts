/** Moves all there is in the funding wallet to spot: what a newcomer means by funding the wallet. */
import type { Balance } from '@orrery/api';
import { act, refresh } from '../../platform/data/calls.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { isPositive } from './use-balances.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

export async function transferEverything(rows: readonly Balance[]): Promise<void> {
  const by = actor();
  const movable = rows.filter((row) => row.balanceType === 'funding' && isPositive(row.availableBalance));
  try {
    for (const { coin, availableBalance: amount } of movable) {
      await act('transfer', { body: { coin, amount, from: 'funding', to: 'spot', transferId: randomHex(16) } }, by);
    }
  } finally {
    await refresh('balances', 'transfers');
  }
}
