/** The dialogs of the account's pages, in one part that is loaded with the first of them. */
export { BindAppDialog } from './bind-app-dialog.tsx';
export { BindNameDialog, SetPasswordDialog } from './change-name-dialogs.tsx';
export { CreateKeyDialog } from './create-key-dialog.tsx';
export { DeleteAccountDialog } from './delete-account-dialog.tsx';
export { ExportKeyDialog } from './export-key-dialog.tsx';
export { EndAllDialog } from './end-all-dialog.tsx';
export { FactorAddedDialog } from './factor-added-dialog.tsx';
export { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
export { SecretDialog } from './secret-dialog.tsx';
