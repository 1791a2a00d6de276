/** What can be done with the arrangement of the panels: the layout menu and the palette are made from these. */
import { useEffect } from 'react';
import { registerActions } from '../../../platform/actions/action.ts';
import type { Action } from '../../../platform/actions/action.ts';
import { say } from '../../../kit/i18n/text.tsx';
import { arrangementOf, COLUMNS, hasRoomFor, PRESETS, swapped, toggledPanel } from './arrangement.ts';
import type { Arrangement, Hideable, WideLayoutName } from './arrangement.ts';
import { arrangementFor, useLayoutMemory } from './layout-memory.ts';

const HIDEABLE = ['markets', 'book', 'trades', 'tables'] as const satisfies readonly Hideable[];
const isRoomy = (layout: WideLayoutName, panel: Hideable): boolean => panel === 'tables' || hasRoomFor(layout, panel);

/** Changes the arrangement as it is at that moment. */
const changing = (layout: WideLayoutName, change: (arrangement: Arrangement) => Arrangement) => (): void => {
  const memory = useLayoutMemory.getState();
  memory.arrange(layout, change(arrangementFor(memory, layout)));
};

const now = (layout: WideLayoutName): Arrangement => arrangementFor(useLayoutMemory.getState(), layout);

export function layoutActions(layout: WideLayoutName): readonly Action[] {
  return [
    ...PRESETS.map((preset): Action => ({
      id: `layout.${preset}`,
      group: 'layout',
      text: `layout.preset.${preset}`,
      kind: 'choice',
      isOn: () => now(layout).preset === preset,
      run: changing(layout, () => arrangementOf(preset, layout)),
    })),
    ...HIDEABLE.filter((panel) => isRoomy(layout, panel)).map((panel): Action => ({
      id: `layout.show.${panel}`,
      group: 'layout',
      text: 'layout.show',
      values: () => ({ panel: say(`layout.panel.${panel}`) }),
      kind: 'switch',
      isOn: () => !now(layout).hidden.includes(panel),
      run: changing(layout, (arrangement) => toggledPanel(arrangement, panel)),
    })),
    ...COLUMNS.filter((column) => hasRoomFor(layout, column)).map((column): Action => ({
      id: `layout.swap.${column}`,
      group: 'layout',
      text: 'layout.swap',
      values: () => ({ panel: say(`layout.panel.${column}`) }),
      isEnabled: () => !now(layout).hidden.includes(column),
      run: changing(layout, (arrangement) => swapped(arrangement, column)),
    })),
    { id: 'layout.reset', group: 'layout', text: 'layout.reset', run: changing(layout, ({ preset }) => arrangementOf(preset, layout)) },
  ];
}

export function useLayoutActions(layout: WideLayoutName): void {
  useEffect(() => registerActions(layoutActions(layout)), [layout]);
}
