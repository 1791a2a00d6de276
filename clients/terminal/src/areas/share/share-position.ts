/** Opens the card of a position; its code is loaded then. */
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import type { SharedPosition } from './shared-position.ts';

const PositionShareDialog = lazyDialog(async () => (await import('./position-share-dialog.tsx')).PositionShareDialog);

export const sharePosition = (position: SharedPosition): void => void openDialog(PositionShareDialog, { position });
