/** Opens the connect dialog from anywhere. Resolves with whether the person is signed in now. */
import { openDialog } from '../ui/dialogs.tsx';
import { ConnectDialog } from './connect-dialog.tsx';

export async function openConnect(): Promise<boolean> {
  return (await openDialog(ConnectDialog, {})) === true;
}
