/** Asks for the terms once an address is signed in and has not accepted them. */
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { wallets } from '../wallet/open-wallets.ts';
import { checkTerms } from './accept-terms.ts';

const TermsDialog = lazyDialog(async () => (await import('./terms-dialog.tsx')).TermsDialog);

let asking: Promise<void> | undefined;

async function ask(address: string): Promise<void> {
  if (await checkTerms(address)) return;
  const answer = await openDialog(TermsDialog, {});
  if (answer !== 'accepted') await (await wallets()).disconnect();
}

/** One dialog at a time, whatever opens it. */
export function askForTerms(address: string): Promise<void> {
  asking ??= ask(address).finally(() => (asking = undefined));
  return asking;
}

/** The legal pages must stay readable before they are accepted. */
const legalPages = ['/terms', '/privacy', '/cookies'];

export function useTermsGate(path: string): void {
  const address = useSession((state) => (state.signedIn?.termsAccepted === false ? state.address : undefined));
  const isReading = legalPages.includes(path);
  useEffect(() => {
    if (address !== undefined && !isReading) void askForTerms(address);
  }, [address, isReading]);
}
