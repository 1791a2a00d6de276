/** Opens the connect dialog from anywhere. Resolves with whether the person is signed in now. */
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';

const ConnectDialog = lazyDialog(async () => (await import('./connect-dialog.tsx')).ConnectDialog);

export async function openConnect(): Promise<boolean> {
  return (await openDialog(ConnectDialog, {})) === true;
}
