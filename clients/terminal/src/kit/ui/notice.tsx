import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';

const tones = { info: 'border-focus', warn: 'border-warn', error: 'border-error', ok: 'border-ok' } as const;

export interface NoticeProps {
  readonly tone: keyof typeof tones;
  readonly children: ReactNode;
}

/** A statement the person should not miss, with a coloured edge and plain words. */
export function Notice({ tone, children }: NoticeProps): ReactElement {
  return (
    <div role={tone === 'error' ? 'alert' : 'note'} className={classes('border-s-2 bg-raised px-3 py-2 text-md text-fg2', tones[tone])}>
      {children}
    </div>
  );
}
