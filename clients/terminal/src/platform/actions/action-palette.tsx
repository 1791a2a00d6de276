/** Everything that can be done now, found by typing. */
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { CommandPalette } from '../../kit/ui/command-palette.tsx';
import type { PaletteEntry } from '../../kit/ui/command-palette.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { ACTION_GROUPS, isPossible, labelOf, runAction, useActions } from './action.ts';
import { bindingOf, useHotkeys } from './bindings.ts';
import { Keys } from './keys.tsx';

export function ActionPalette({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  const actions = [...useActions().values()];
  const { bindings, isTrading } = useHotkeys();
  const entries = ACTION_GROUPS.flatMap((group) =>
    actions
      // The palette is open already.
      .filter((action) => action.group === group && isPossible(action) && !action.id.startsWith('palette'))
      .map((action): PaletteEntry => {
        const hotkey = group !== 'trading' || isTrading ? bindingOf(bindings, action) : '';
        return {
          id: action.id,
          label: labelOf(action, text),
          group: text(`actions.group.${group}`),
          ...(action.keywords && { keywords: action.keywords }),
          ...(hotkey !== '' && { aside: <Keys hotkey={hotkey} /> }),
          onSelect: () => void runAction(action),
        };
      }),
  );
  return <CommandPalette label={text('actions.palette')} placeholder={text('actions.search')} entries={entries} onClose={close} />;
}
