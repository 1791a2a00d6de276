import { expect, test } from 'vitest';
import type { Action } from './action.ts';
import { actionFor, bindingOf, conflictOf, withBinding } from './bindings.ts';

const action = (id: string, group: Action['group'], hotkey?: string): Action => ({
  id,
  group,
  text: 'ui.done',
  run: () => undefined,
  ...(hotkey !== undefined && { hotkey }),
});
const PALETTE = action('palette', 'general', 'Mod+K');
const BUY = action('ticket.buy', 'trading', 'B');
const SELL = action('ticket.sell', 'trading', 'S');
const ALL = [PALETTE, BUY, SELL];

test('what the person chose counts, then the default; an empty choice is no shortcut', () => {
  expect(bindingOf({}, BUY)).toBe('B');
  expect(bindingOf({ 'ticket.buy': 'Alt+B' }, BUY)).toBe('Alt+B');
  expect(bindingOf({ 'ticket.buy': '' }, BUY)).toBe('');
});

test('a shortcut that another action has is a conflict, its own is not, and one given up is free', () => {
  expect(conflictOf({}, { actions: ALL, id: 'ticket.sell', hotkey: 'B' })).toBe(BUY);
  expect(conflictOf({}, { actions: ALL, id: 'ticket.buy', hotkey: 'B' })).toBeUndefined();
  expect(conflictOf({ 'ticket.buy': 'X' }, { actions: ALL, id: 'ticket.sell', hotkey: 'B' })).toBeUndefined();
  expect(conflictOf({ 'ticket.buy': 'X' }, { actions: ALL, id: 'ticket.sell', hotkey: 'X' })).toBe(BUY);
  expect(conflictOf({ 'ticket.buy': '', palette: '' }, { actions: ALL, id: 'ticket.sell', hotkey: '' })).toBeUndefined();
});

test('a choice is remembered, and forgotten when it is the default again', () => {
  const chosen = withBinding({}, BUY, 'X');
  expect(chosen).toEqual({ 'ticket.buy': 'X' });
  expect(withBinding(chosen, BUY, '')).toEqual({ 'ticket.buy': '' });
  expect(withBinding(chosen, BUY, 'B')).toEqual({});
});

test('keys place no orders until the person switched them on', () => {
  expect(actionFor('B', { actions: ALL, bindings: {}, isTrading: false })).toBeUndefined();
  expect(actionFor('B', { actions: ALL, bindings: {}, isTrading: true })).toBe(BUY);
  expect(actionFor('Mod+K', { actions: ALL, bindings: {}, isTrading: false })).toBe(PALETTE);
});
