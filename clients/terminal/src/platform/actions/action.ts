/** What a person can do, as data: buttons, hotkeys, the command palette and menus are made from the same list. */
import { create } from 'zustand';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import type { Say, TextValues } from '../../kit/i18n/text.tsx';

/** In the order of the palette and of the sheet of shortcuts. */
export const ACTION_GROUPS = ['general', 'trading', 'chart', 'layout', 'markets', 'pages', 'settings'] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

export interface Action {
  /** Unique; shortcuts are remembered under it. */
  readonly id: string;
  readonly group: ActionGroup;
  readonly text: MessageId;
  /** A function: words among them are said in the language that is chosen when the action is shown. */
  readonly values?: () => TextValues;
  /** Other words by which it is found. */
  readonly keywords?: readonly string[];
  /** Absent for what is always possible. */
  readonly isEnabled?: () => boolean;
  readonly run: () => void;
  /** One of several that exclude each other, or one that is on or off; absent for what is done at once. */
  readonly kind?: 'choice' | 'switch';
  /** Of a choice or a switch. */
  readonly isOn?: () => boolean;
  /** Its shortcut until the person chooses another, such as `Mod+K`, `Shift+B` or `?`. */
  readonly hotkey?: string;
}

interface Registry {
  /** By id; one registered again replaces itself in its place. */
  readonly actions: ReadonlyMap<string, Action>;
}

const useRegistry = create<Registry>()(() => ({ actions: new Map() }));

/** @returns what takes these out again: a page's actions end with it. */
export function registerActions(added: readonly Action[]): () => void {
  useRegistry.setState(({ actions }) => ({ actions: new Map([...actions, ...added.map((action) => [action.id, action] as const)]) }));
  return () =>
    useRegistry.setState(({ actions }) => ({
      actions: new Map([...actions].filter(([id, action]) => !added.some((one) => one.id === id && one === action))),
    }));
}

export const registeredActions = (): readonly Action[] => [...useRegistry.getState().actions.values()];
export const actionOf = (id: string): Action | undefined => useRegistry.getState().actions.get(id);

export function useActions(): ReadonlyMap<string, Action> {
  return useRegistry(({ actions }) => actions);
}

/** What an action is called in the chosen language. */
export const labelOf = ({ text, values }: Action, say: Say): string => say(text, values?.());

export const isPossible = ({ isEnabled }: Action): boolean => isEnabled?.() ?? true;

/** Runs an action that is possible now. @returns whether it ran. */
export function runAction(action: Action | undefined): boolean {
  if (action === undefined || !isPossible(action)) return false;
  action.run();
  return true;
}
