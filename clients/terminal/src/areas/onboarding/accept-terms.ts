/** Accepting the terms: a marker for this visit, a signature that names the terms, the exchange's record of it. */
import { act, ask } from '../../platform/data/calls.ts';
import { loadConfig } from '../../platform/client/config.ts';
import { acceptedTerms, signFor, useSession } from '../../platform/session/session.ts';
import { statementOf } from '../../platform/session/sign.ts';
import { termsUserStatus } from '../../kit/storage/remembered.ts';

const MARKER = 'orrery.acceptingTerms';

/** A visit that ends between signature and answer finds the marker and asks the exchange before it asks the person. */
function mark(address: string | undefined): void {
  try {
    if (address === undefined) sessionStorage.removeItem(MARKER);
    else sessionStorage.setItem(MARKER, address);
  } catch {
    // Without storage the exchange is asked in any case.
  }
}

/** Whether a signature for the terms was under way when this visit was reloaded: its answer may still be on its way. */
export function wasAccepting(address: string): boolean {
  try {
    return sessionStorage.getItem(MARKER) === address;
  } catch {
    return false;
  }
}

function remember(address: string, termsCode: string): void {
  termsUserStatus.write({ ...termsUserStatus.read(), [address]: termsCode });
  // Another account may have been chosen while the exchange was asked about this one.
  if (useSession.getState().address === address) acceptedTerms();
}

/** Whether the exchange knows that this address has accepted the terms in force. */
export async function checkTerms(address: string): Promise<boolean> {
  const { termsCode } = await loadConfig();
  const agreed = await ask('checkAgreement', { body: { walletAddress: address, termsCode }, ignoreToken: true });
  if (agreed) {
    remember(address, termsCode);
    mark(undefined);
  }
  return agreed;
}

/** @throws what the wallet or the exchange refuses with. */
export async function acceptTerms(address: string): Promise<void> {
  const { termsCode } = await loadConfig();
  mark(address);
  try {
    const { signature, message } = await signFor({ address, purpose: 'terms', statement: statementOf('terms') });
    await act('agree', { body: { walletAddress: address, termsCode, signature, message } });
    remember(address, termsCode);
  } finally {
    mark(undefined);
  }
}
