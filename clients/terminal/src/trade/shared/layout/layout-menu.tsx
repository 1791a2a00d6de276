/** The actions of the layout as a menu. */
import { LayoutDashboard } from 'lucide-react';
import type { ReactElement } from 'react';
import { isPossible, labelOf, runAction, useActions } from '../../../platform/actions/action.ts';
import type { Action } from '../../../platform/actions/action.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { Menu, MenuChoice, MenuCheck, MenuItem, MenuSeparator } from '../../../kit/ui/menu.tsx';
import { useLayoutMemory } from './layout-memory.ts';

export function LayoutMenu(): ReactElement {
  const text = useText();
  // What is on is read from the arrangement: it is drawn again when that changes.
  useLayoutMemory();
  const actions = [...useActions().values()].filter(({ group }) => group === 'layout');
  const ofKind = (kind: Action['kind']): readonly Action[] => actions.filter((action) => action.kind === kind);
  const say = (action: Action): string => labelOf(action, text);
  const presets = ofKind('choice');
  const trigger = (
    <IconButton label={text('layout.menu')} className="size-7">
      <LayoutDashboard size={15} />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label={text('layout.preset')}
        value={presets.find(({ isOn }) => isOn?.() === true)?.id ?? ''}
        choices={presets.map((action) => ({ value: action.id, label: say(action) }))}
        onChange={(id) => runAction(presets.find((action) => action.id === id))}
      />
      <MenuSeparator />
      {ofKind('switch').map((action) => (
        <MenuCheck key={action.id} value={action.isOn?.() === true} onChange={() => runAction(action)}>
          {String(action.values?.()['panel'])}
        </MenuCheck>
      ))}
      <MenuSeparator />
      {ofKind(undefined).map((action) => (
        <MenuItem key={action.id} disabled={!isPossible(action)} onSelect={() => runAction(action)}>
          {say(action)}
        </MenuItem>
      ))}
    </Menu>
  );
}
