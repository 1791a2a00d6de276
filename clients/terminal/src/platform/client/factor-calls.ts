/** What the exchange is asked about factors below the pages: which are bound, and what a passkey is proven with. */
import type { AskedPasskey, CallBody, CallData } from '@orrery/api';
import { http } from './client.ts';

export type AskedWithdrawal = NonNullable<CallBody['passkeyChallenge']['withdrawal']>;

/** For exactly this withdrawal; without one, for a change of the account. */
export const passkeyChallenge = (withdrawal?: AskedWithdrawal): Promise<AskedPasskey> =>
  http.load('passkeyChallenge', { body: withdrawal === undefined ? {} : { withdrawal } });

export const guardedAccount = (): Promise<CallData['accountInfo']> => http.load('accountInfo');
