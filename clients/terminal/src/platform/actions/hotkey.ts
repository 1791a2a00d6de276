/** Shortcuts as text: `Mod+K`, `Shift+B`, `?`. `Mod` is Command on a Mac and Ctrl elsewhere. */

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const MODIFIERS: ReadonlySet<string> = new Set([
  'Control',
  'Meta',
  'Alt',
  'Shift',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Process',
  'Unidentified',
]);
/** They move the focus, end what is open, or press what has the focus. */
const RESERVED: ReadonlySet<string> = new Set(['Tab', 'Escape', 'Enter', ' ', 'Shift+Tab', 'Shift+Enter', 'Shift+ ', 'F6', 'Shift+F6']);

const isLetter = (key: string): boolean => key.length === 1 && key.toLowerCase() !== key.toUpperCase();

/** @returns `undefined` for a press that can be no shortcut: a modifier alone, or a key the page cannot do without. */
export function hotkeyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string | undefined {
  if (MODIFIERS.has(key)) return undefined;
  const name = isLetter(key) ? key.toUpperCase() : key;
  // The shift of `?` is part of the sign; that of a letter or of a named key is a modifier.
  const hasShift = shiftKey && (isLetter(key) || key.length > 1 || key === ' ');
  const parts = [...(ctrlKey || metaKey ? ['Mod'] : []), ...(altKey ? ['Alt'] : []), ...(hasShift ? ['Shift'] : []), name];
  const hotkey = parts.join('+');
  return RESERVED.has(hotkey) ? undefined : hotkey;
}

const SIGNS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The keys of a shortcut, one after the other, as they are printed on the keyboard. */
export function keysOf(hotkey: string, system: 'mac' | 'other'): readonly string[] {
  // `Mod++` holds down the plus key.
  const parts = hotkey.endsWith('++') ? [...hotkey.slice(0, -2).split('+'), '+'] : hotkey === '+' ? ['+'] : hotkey.split('+');
  const mac: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
  return parts.map((part) => SIGNS[part] ?? (system === 'mac' ? mac[part] : undefined) ?? (part === 'Mod' ? 'Ctrl' : part));
}

/** With a modifier that typing does not need: such a shortcut cannot be typed by accident. */
export const isHeld = (hotkey: string): boolean => hotkey.startsWith('Mod+') || hotkey.startsWith('Alt+');
