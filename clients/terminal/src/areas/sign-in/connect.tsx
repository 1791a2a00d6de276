/** Opens the connect dialog from anywhere. Resolves with whether the person is signed in now. */
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { wallets } from '../../platform/wallet/open-wallets.ts';

const ConnectDialog = lazyDialog(async () => (await import('./connect-dialog.tsx')).ConnectDialog);

/** A list of wallets that does not come within this is awaited in the dialog. */
const PATIENCE_MS = 600;

/** The wallets are found before the dialog opens, so that it does not grow under the pointer. */
async function findWallets(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const found = wallets().then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([found, patience]);
}

export async function openConnect(): Promise<boolean> {
  await findWallets();
  return (await openDialog(ConnectDialog, {}, { of: 'everybody' })) === true;
}
