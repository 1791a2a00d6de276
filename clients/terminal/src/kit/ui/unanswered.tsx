/** Something that was sent and has no answer: what it is, and what can be done. Its answer is looked for meanwhile. */
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from './button.tsx';
import type { ButtonLook } from './button-classes.ts';
import { Notice } from './notice.tsx';

export interface UnansweredProps {
  readonly label: string;
  /** What was sent, in one line. */
  readonly children: ReactNode;
  readonly kind?: ButtonLook['kind'];
  readonly busy?: boolean;
  readonly onRepeat: () => void;
  readonly onDrop: () => void;
}

export function Unanswered({ label, children, kind = 'primary', busy = false, onRepeat, onDrop }: UnansweredProps): ReactElement {
  const text = useText();
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-2.5">
      <Notice tone="warn">
        <p className="font-medium text-fg">{children}</p>
        <p>{text('ui.noAnswer')}</p>
      </Notice>
      <div className="grid grid-cols-2 gap-2">
        <Button size="large" kind={kind} busy={busy} onClick={onRepeat}>
          {text('ui.sendAgain')}
        </Button>
        <Button size="large" disabled={busy} onClick={onDrop}>
          {text('ui.stopWaiting')}
        </Button>
      </div>
    </div>
  );
}
