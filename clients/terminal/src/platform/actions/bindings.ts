/** Which shortcut runs which action: the defaults, with what the person changed. No shortcut runs two actions. */
import { create } from 'zustand';
import { parseBoolean, parseRecord } from '../../kit/storage/parse.ts';
import { stored } from '../../kit/storage/stored.ts';
import type { Action } from './action.ts';

/** Action id to shortcut; an empty one takes the default away. */
export type Bindings = Readonly<Record<string, string>>;

export const bindingOf = (bindings: Bindings, { id, hotkey }: Pick<Action, 'id' | 'hotkey'>): string => bindings[id] ?? hotkey ?? '';

/** The other action that a shortcut would run too. */
export function conflictOf(
  bindings: Bindings,
  { actions, id, hotkey }: { readonly actions: readonly Action[]; readonly id: string; readonly hotkey: string },
): Action | undefined {
  return hotkey === '' ? undefined : actions.find((action) => action.id !== id && bindingOf(bindings, action) === hotkey);
}

/** With a shortcut of one action changed; back at its default, nothing is remembered of it. */
export function withBinding(bindings: Bindings, { id, hotkey: fallback }: Pick<Action, 'id' | 'hotkey'>, hotkey: string): Bindings {
  const others = Object.fromEntries(Object.entries(bindings).filter(([other]) => other !== id));
  return hotkey === (fallback ?? '') ? others : { ...others, [id]: hotkey };
}

/** The action that a shortcut runs. Those of trading wait until the person has switched them on. */
export function actionFor(
  hotkey: string,
  { actions, bindings, isTrading }: { readonly actions: readonly Action[]; readonly bindings: Bindings; readonly isTrading: boolean },
): Action | undefined {
  return actions.find((action) => bindingOf(bindings, action) === hotkey && (isTrading || action.group !== 'trading'));
}

const remembered = stored<Bindings>({ name: 'hotkeys', version: 1, fallback: {}, parse: parseRecord });
const trading = stored<boolean>({ name: 'tradingHotkeys', version: 1, fallback: false, parse: parseBoolean });

interface HotkeySettings {
  readonly bindings: Bindings;
  /** Whether keys place and change orders. */
  readonly isTrading: boolean;
  readonly bind: (action: Action, hotkey: string) => void;
  readonly reset: () => void;
  readonly setTrading: (isTrading: boolean) => void;
}

export const useHotkeys = create<HotkeySettings>()((change, now) => ({
  bindings: remembered.read(),
  isTrading: trading.read(),
  bind(action, hotkey) {
    const bindings = withBinding(now().bindings, action, hotkey);
    remembered.write(bindings);
    change({ bindings });
  },
  reset() {
    remembered.clear();
    change({ bindings: {} });
  },
  setTrading(isTrading) {
    trading.write(isTrading);
    change({ isTrading });
  },
}));
