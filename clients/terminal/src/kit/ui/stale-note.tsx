/** Below what could not be read again: how old it is, and the way to try. It comes late, so that what is read a moment later does not flicker. */
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Button } from './button.tsx';
import type { Loaded } from './loaded.ts';

export function StaleNote({ read }: { readonly read: Loaded<unknown> }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  if (read.phase !== 'stale' || read.since === undefined) return null;
  return (
    <p className="shown-late flex flex-wrap items-center gap-x-2 border-t border-line px-4 py-1.5 text-sm text-warn">
      {text('ui.staleSince', { time: format.time(read.since) })}
      <Button kind="quiet" size="small" onClick={read.retry}>
        {text('ui.retry')}
      </Button>
    </p>
  );
}
