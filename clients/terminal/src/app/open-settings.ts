/** The dialog of settings, loaded when it is first opened. */
import { lazyDialog, openDialog } from '../kit/ui/dialogs.tsx';

const SettingsDialog = lazyDialog(async () => (await import('../areas/settings-dialog/settings-dialog.tsx')).SettingsDialog);

export const openSettings = (): void => void openDialog(SettingsDialog, {}, { of: 'everybody' });
