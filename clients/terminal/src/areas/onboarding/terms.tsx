/** Asks for the terms once an address is signed in and has not accepted them. */
import { useEffect } from 'react';
import { isByName, useSession } from '../../platform/session/session.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import { checkTerms } from './accept-terms.ts';
import { legalPages } from './legal-pages.ts';

let asking: Promise<void> | undefined;

async function show(address: string): Promise<void> {
  const { showTerms } = await loadCode(() => import('./show-terms.ts'));
  return showTerms(address);
}

/** One dialog at a time, whatever opens it. */
export function askForTerms(address: string): Promise<void> {
  asking ??= show(address).finally(() => (asking = undefined));
  return asking;
}

export function useTermsGate(path: string): void {
  const address = useSession((state) => state.address);
  const isMissing = useSession((state) => state.signedIn?.termsAccepted === false);
  const isReading = legalPages.includes(path);
  useEffect(() => {
    // As soon as the wallet is connected: what the exchange knows of its agreement is known before it is needed.
    if (address !== undefined) void checkTerms(address).catch(() => undefined);
  }, [address]);
  useEffect(() => {
    // Without a wallet nothing can be signed: then the person is not stopped before something needs it.
    if (address !== undefined && isMissing && !isReading && !isByName()) void askForTerms(address);
  }, [address, isMissing, isReading]);
}
