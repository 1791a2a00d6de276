/** The dialogs of the terms for an address that has not accepted them, one after another. */
import { reach } from '../../platform/client/exchange-reach.ts';
import { disconnectWallet, isByName, useSession } from '../../platform/session/session.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { checkTerms, wasAccepting } from './accept-terms.ts';
import { legalPages } from './legal-pages.ts';

const NoWalletDialog = lazyDialog(async () => (await import('./no-wallet-dialog.tsx')).NoWalletDialog);
const TermsDialog = lazyDialog(async () => (await import('./terms-dialog.tsx')).TermsDialog);

const AGAIN_MS = 1_000;
/** How often the exchange is asked about a signature that a reload cut off from its answer. */
const TRIES_AFTER_RELOAD = 3;

const isStillHere = (address: string): boolean => useSession.getState().address === address;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** Whether the terms are accepted; asks until the exchange answers or the wallet is another one. */
async function isAccepted(address: string): Promise<boolean> {
  let tries = wasAccepting(address) ? TRIES_AFTER_RELOAD : 1;
  while (isStillHere(address)) {
    const accepted = await checkTerms(address).catch(() => undefined);
    if (accepted === true) return true;
    if (accepted === false) tries -= 1;
    if (tries === 0) return false;
    await pause();
    await reach.whenReached();
  }
  return true;
}

/** Resolves when the person has accepted or refused, or the exchange knows of an earlier acceptance. */
export async function showTerms(address: string): Promise<void> {
  if (isByName()) {
    if ((await openDialog(NoWalletDialog, {}, { of: 'everybody' })) !== true) return;
    // The session has gone on in the account at the address of the new wallet.
    const { address: fresh } = useSession.getState();
    return fresh === undefined ? undefined : askWithWallet(fresh);
  }
  return askWithWallet(address);
}

async function askWithWallet(address: string): Promise<void> {
  if ((await isAccepted(address)) || !isStillHere(address)) return;
  const answer = await openDialog(TermsDialog, {});
  // Another account has come: it is not disconnected for what this one did not accept.
  // Inside the app the legal texts open in this page, which closes the dialog: reading them is no refusal.
  if (answer !== 'accepted' && isStillHere(address) && !legalPages.includes(location.pathname)) await disconnectWallet();
}
