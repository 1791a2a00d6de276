/** The sheet of shortcuts: which key does what, and how to choose another. */
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import { ACTION_GROUPS, labelOf, useActions } from './action.ts';
import type { Action } from './action.ts';
import { bindingOf, conflictOf, useHotkeys } from './bindings.ts';
import { hotkeyOf } from './hotkey.ts';
import { Keys } from './keys.tsx';

interface Capture {
  readonly action: Action;
  /** The action that has the key which was pressed. */
  readonly conflict: Action | undefined;
}

/** Takes the next press for an action: Escape leaves its shortcut as it is, Delete takes it away. */
function useCapture(actions: readonly Action[]): readonly [Capture | undefined, (action: Action) => void] {
  const [capture, setCapture] = useState<Capture>();
  const { bindings, bind } = useHotkeys();
  useEffect(() => {
    if (capture === undefined) return undefined;
    const { action } = capture;
    const take = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') return setCapture(undefined);
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') return setCapture(undefined);
      const isCleared = event.key === 'Delete' || event.key === 'Backspace';
      const hotkey = isCleared ? '' : hotkeyOf(event);
      if (hotkey === undefined) return;
      const conflict = conflictOf(bindings, { actions, id: action.id, hotkey });
      if (conflict !== undefined) return setCapture({ action, conflict });
      bind(action, hotkey);
      setCapture(undefined);
    };
    window.addEventListener('keydown', take, true);
    return () => window.removeEventListener('keydown', take, true);
  }, [capture, actions, bindings, bind]);
  return [capture, (action) => setCapture({ action, conflict: undefined })];
}

interface RowProps {
  readonly action: Action;
  readonly capture: Capture | undefined;
  readonly onCapture: (action: Action) => void;
}

function ShortcutRow({ action, capture, onCapture }: RowProps): ReactElement {
  const text = useText();
  const hotkey = bindingOf(
    useHotkeys((hotkeys) => hotkeys.bindings),
    action,
  );
  const label = labelOf(action, text);
  const isCapturing = capture?.action.id === action.id;
  return (
    <li className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 border-b border-line last:border-0">
      <span>{label}</span>
      <Button size="small" kind="quiet" aria-pressed={isCapturing} onClick={() => onCapture(action)}>
        <span className="sr-only">{text('actions.changeKey', { action: label })}</span>
        {isCapturing ? text('actions.pressKey') : hotkey === '' ? text('actions.noKey') : <Keys hotkey={hotkey} />}
      </Button>
      {isCapturing && capture.conflict !== undefined && (
        <p role="alert" className="w-full pb-1 text-sm text-error">
          {text('actions.conflict', { action: labelOf(capture.conflict, text) })}
        </p>
      )}
    </li>
  );
}

export function ShortcutsDialog({ close }: Dialogue<never>): ReactElement {
  const text = useText();
  const id = useId();
  // Markets are chosen by name, and there may be many.
  const actions = [...useActions().values()].filter(({ group }) => group !== 'markets');
  const [capture, begin] = useCapture(actions);
  const { isTrading, setTrading, reset } = useHotkeys();
  return (
    <Dialog
      open
      onClose={close}
      title={text('actions.shortcuts')}
      description={text('actions.shortcutsLead')}
      footer={
        <Button size="small" onClick={reset}>
          {text('actions.reset')}
        </Button>
      }
    >
      <div className="mb-4 flex min-h-11 items-center justify-between gap-4">
        <div>
          <label htmlFor={id}>{text('actions.trading')}</label>
          <p className="text-sm text-fg3">{text('actions.tradingHint')}</p>
        </div>
        <Switch id={id} label={text('actions.trading')} value={isTrading} onChange={setTrading} />
      </div>
      {ACTION_GROUPS.map((group) => {
        const ofGroup = actions.filter((action) => action.group === group);
        if (ofGroup.length === 0 || (group === 'trading' && !isTrading)) return null;
        return (
          <section key={group} className="mb-4 last:mb-0">
            <h3 className="mb-1 border-b border-line pb-1.5 text-sm text-fg3">{text(`actions.group.${group}`)}</h3>
            <ul>
              {ofGroup.map((action) => (
                <ShortcutRow key={action.id} action={action} capture={capture} onCapture={begin} />
              ))}
            </ul>
          </section>
        );
      })}
    </Dialog>
  );
}
