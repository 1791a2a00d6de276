/** A withdrawal: signed over exactly what leaves, where to, and an id that can be used once. */
import { withdrawStatement } from '@orrery/api';
import { http } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import { randomHex } from '../storage/random-hex.ts';
import { signFor } from '../session/session.ts';

export interface WithdrawalIntent {
  readonly coin: string;
  readonly amount: string;
  readonly to: string;
}

export async function withdraw(owner: string, { coin, amount, to }: WithdrawalIntent): Promise<void> {
  const withdrawalId = `0x${randomHex(32)}`;
  const statement = withdrawStatement({ amount, coin, to });
  const signed = await signFor({ address: owner, purpose: 'withdraw', statement, requestId: withdrawalId });
  await http.call('withdraw', { body: { withdrawalId, coin, amount, to, ...signed } });
  await queryClient.invalidateQueries({ queryKey: ['balances'] });
  await queryClient.invalidateQueries({ queryKey: ['withdrawals'] });
}
