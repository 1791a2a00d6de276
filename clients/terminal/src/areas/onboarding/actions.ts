/** What a person can be led to do, from any page. Each asks for what must come before it. */
import type { TransferRoute } from '../balances/transfer-dialog.tsx';
import { signingOver, useSession } from '../../platform/session/session.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { openConnect } from '../sign-in/connect.tsx';
import { askForTerms } from './terms.tsx';

const TransferDialog = lazyDialog(async () => (await import('../balances/transfer-dialog.tsx')).TransferDialog);
const FaucetDialog = lazyDialog(async () => (await import('../faucet/faucet-dialog.tsx')).FaucetDialog);
const ConnectionDialog = lazyDialog(async () => (await import('./connection-dialog.tsx')).ConnectionDialog);
const FundWalletDialog = lazyDialog(async () => (await import('./fund-wallet-dialog.tsx')).FundWalletDialog);
const WhitelistDialog = lazyDialog(async () => (await import('./whitelist-dialog.tsx')).WhitelistDialog);

/** Resolves with whether the person is signed in and has accepted the terms. */
export async function requireTerms(): Promise<boolean> {
  // A signature may be under way from somewhere else on the page, and the session of the last visit on its way back.
  await signingOver();
  if (useSession.getState().signedIn === undefined && !(await openConnect())) return false;
  const { address, signedIn } = useSession.getState();
  if (address !== undefined && signedIn?.termsAccepted === false) await askForTerms(address);
  return useSession.getState().signedIn?.termsAccepted === true;
}

export async function openFaucet(): Promise<void> {
  if (!(await requireTerms())) return;
  if (useSession.getState().inWhitelist) await openDialog(FaucetDialog, {});
  else await openDialog(WhitelistDialog, {});
}

/** An address is in the queue once its owner has signed in. */
export async function openWhitelist(): Promise<void> {
  await signingOver();
  if (useSession.getState().signedIn === undefined && !(await openConnect())) return;
  await openDialog(WhitelistDialog, {});
}

export async function openTransfer(initial: TransferRoute = { from: 'funding', to: 'spot' }): Promise<void> {
  if (await requireTerms()) await openDialog(TransferDialog, { initial });
}

export async function openFundWallet(): Promise<void> {
  if (!(await requireTerms())) return;
  const way = await openDialog(FundWalletDialog, {});
  if (way === 'transfer') await openTransfer();
  else if (way === 'deposit') await openFaucet();
}

/** Resolves with whether the connection is there. */
export async function openEstablishConnection(): Promise<boolean> {
  if (!(await requireTerms())) return false;
  if (useSession.getState().signedIn?.connected === true) return true;
  return (await openDialog(ConnectionDialog, {})) === true;
}

export async function openTerms(): Promise<void> {
  const { address } = useSession.getState();
  if (address !== undefined) await askForTerms(address);
}
