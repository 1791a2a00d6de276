/** What the exchange is asked about factors below the pages: which are bound, and what a passkey is proven with. */
import type { AskedPasskey, CallBody, CallData } from '@orrery/api';
import { http } from './client.ts';

export type AskedWithdrawal = NonNullable<CallBody['passkeyChallenge']['withdrawal']>;

/** What alone a passkey is to prove: a withdrawal, or the release of an order. */
export type PasskeySubject = CallBody['passkeyChallenge'];

/** Without a subject, for a change of the account. */
export const passkeyChallenge = (subject: PasskeySubject = {}): Promise<AskedPasskey> => http.load('passkeyChallenge', { body: subject });

export const guardedAccount = (): Promise<CallData['accountInfo']> => http.load('accountInfo');
