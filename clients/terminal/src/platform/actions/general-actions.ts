/** The two ways to all actions: the palette and the sheet of shortcuts. Loaded when they are first opened. */
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import type { Action } from './action.ts';

const ActionPalette = lazyDialog(async () => (await import('./action-palette.tsx')).ActionPalette);
const ShortcutsDialog = lazyDialog(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

export const openPalette = (): void => void openDialog(ActionPalette, {}, { of: 'everybody' });

export const generalActions: readonly Action[] = [
  { id: 'palette', group: 'general', text: 'actions.openPalette', run: openPalette, hotkey: 'Mod+K' },
  { id: 'palette.slash', group: 'general', text: 'actions.search', run: openPalette, hotkey: '/' },
  {
    id: 'shortcuts',
    group: 'general',
    text: 'actions.shortcuts',
    run: () => void openDialog(ShortcutsDialog, {}, { of: 'everybody' }),
    hotkey: '?',
  },
];
