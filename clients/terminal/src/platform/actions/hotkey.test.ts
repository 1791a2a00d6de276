import { expect, test } from 'vitest';
import { hotkeyOf, isHeld, keysOf } from './hotkey.ts';

const press = (key: string, ...held: readonly ('ctrl' | 'meta' | 'alt' | 'shift')[]) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

test.each([
  [press('k', 'ctrl'), 'Mod+K'],
  [press('k', 'meta'), 'Mod+K'],
  [press('b'), 'B'],
  [press('B', 'shift'), 'Shift+B'],
  [press('?', 'shift'), '?'],
  [press('/'), '/'],
  [press('1'), '1'],
  [press('ArrowUp', 'alt'), 'Alt+ArrowUp'],
  [press('Enter', 'ctrl'), 'Mod+Enter'],
  [press('x', 'ctrl', 'alt', 'shift'), 'Mod+Alt+Shift+X'],
])('a press is a shortcut: %o', (pressed, hotkey) => {
  expect(hotkeyOf(pressed)).toBe(hotkey);
});

test.each(['Shift', 'Control', 'Tab', 'Escape', 'Enter', ' ', 'Dead'])('%s alone can be none', (key) => {
  expect(hotkeyOf(press(key))).toBeUndefined();
});

test('a shortcut is written as on the keyboard', () => {
  expect(keysOf('Mod+K', 'mac')).toEqual(['⌘', 'K']);
  expect(keysOf('Mod+Alt+Shift+X', 'other')).toEqual(['Ctrl', 'Alt', 'Shift', 'X']);
  expect(keysOf('Alt+ArrowUp', 'other')).toEqual(['Alt', '↑']);
  expect(keysOf('Mod++', 'other')).toEqual(['Ctrl', '+']);
  expect(keysOf('+', 'other')).toEqual(['+']);
});

test('only a shortcut with Ctrl, Command or Alt works while somebody types', () => {
  expect([isHeld('Mod+K'), isHeld('Alt+1'), isHeld('Shift+B'), isHeld('B')]).toEqual([true, true, false, false]);
});
