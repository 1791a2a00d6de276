/** Runs the actions of the shortcuts that are pressed anywhere on the page. Mounted once. */
import { useEffect } from 'react';
import { registeredActions, runAction } from './action.ts';
import { actionFor, useHotkeys } from './bindings.ts';
import { hotkeyOf, isHeld } from './hotkey.ts';

/** Where keys are typed, or are the element's own. */
const TYPING = 'input, textarea, select, [contenteditable], [role="textbox"]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

/** Over an open dialog or menu nothing behind it is reached. */
const hasDialog = (): boolean => document.querySelector('[role="dialog"][data-state="open"], [role="menu"][data-state="open"]') !== null;

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  const hotkey = hotkeyOf(event);
  if (hotkey === undefined || hasDialog()) return;
  if (isTyping(event.target) && !isHeld(hotkey)) return;
  const { bindings, isTrading } = useHotkeys.getState();
  if (runAction(actionFor(hotkey, { actions: registeredActions(), bindings, isTrading }))) event.preventDefault();
}

export function useActionKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
