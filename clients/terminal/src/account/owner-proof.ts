/** That the owner of the account is here: the wallet signs, and an account without a wallet shows its password; a bound app shows its code. */
import type { CallData, Purpose } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { signFor } from '../session/session.ts';
import { walletMessage } from '../session/sign.ts';
import { FormFault } from '../ui/use-form.ts';

export type AccountInfo = CallData['accountInfo'];

export interface OwnerWords {
  readonly currentPassword: string;
  readonly google: string;
}

export async function ownerProof(
  account: AccountInfo,
  { currentPassword, google }: OwnerWords,
  asked: { readonly purpose: Purpose; readonly statement: string },
) {
  const code = account.googleSecurityStatus ? { google } : {};
  if (account.authType === 'NAME') return { currentPassword, ...code };
  return { ...(await signFor({ address: account.address, ...asked })), ...code };
}

/** What the exchange names by no field of these forms, or a wallet says. */
export function atOwnField(error: unknown): Error {
  if (!(error instanceof CallError)) return new FormFault(walletMessage(error));
  if (error.reason !== 'InvalidPassword') return error;
  return new CallError({ code: error.code, msg: error.msg, status: error.status, reason: error.reason, field: 'currentPassword' });
}
