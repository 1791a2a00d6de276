/** That the owner of the account is here: the wallet signs, and an account without a wallet shows its password; beside it a second factor, where one is bound. */
import type { CallData, Purpose } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { type FactorState, give } from '../../platform/factors/factor.ts';
import { signFor } from '../../platform/session/session.ts';
import { type Signed, walletMessage } from '../../platform/session/sign.ts';
import { FormFault } from '../../kit/ui/use-form.ts';

export type AccountInfo = CallData['accountInfo'];

export interface OwnerWords {
  /** Of an account without a wallet. */
  readonly currentPassword: string;
  readonly factor: Pick<FactorState, 'way' | 'code'>;
}

/**
 * The passkey first: browsers ask for it soon after a click of the person, and wallets whenever they are asked. An e-mail wallet signs before it: where it
 * is to be recovered first, that takes an answer of the passkey too, and each challenge for a change voids the one before.
 */
export async function ownerProof(
  account: AccountInfo,
  { currentPassword, factor }: OwnerWords,
  asked: { readonly purpose: Purpose; readonly statement: string },
) {
  if (account.authType === 'NAME') return { currentPassword, ...(await give(factor)) };
  const sign = (): Promise<Signed> => signFor({ address: account.address, ...asked });
  if (account.emailLogin) return { ...(await sign()), ...(await give(factor)) };
  const given = await give(factor);
  return { ...(await sign()), ...given };
}

/** What the exchange names by no field of these forms, or a wallet or a browser says. */
export function atOwnField(error: unknown): Error {
  if (!(error instanceof CallError)) return new FormFault(walletMessage(error));
  if (error.reason !== 'InvalidPassword') return error;
  return new CallError({ code: error.code, msg: error.msg, status: error.status, reason: error.reason, field: 'currentPassword' });
}
