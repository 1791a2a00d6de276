/** A shortcut as it is printed on the keyboard. */
import type { ReactElement } from 'react';
import { keysOf } from './hotkey.ts';

const system = /mac|iphone|ipad/i.test(navigator.userAgent) ? 'mac' : 'other';

export function Keys({ hotkey }: { readonly hotkey: string }): ReactElement {
  return (
    <span className="inline-flex gap-0.5">
      {keysOf(hotkey, system).map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-strong bg-raised px-1 font-sans text-sm text-fg2"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
