import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Dialogue } from './dialogs.tsx';

export interface Confirmation {
  readonly title: string;
  /** What happens then, in one sentence or as a list. */
  readonly lead: ReactNode;
  /** The verb on the button. */
  readonly action: string;
  /** The way out, where `Cancel` could be taken for the action itself. */
  readonly keep?: string;
  /** `danger` where it can not be taken back. */
  readonly kind?: 'danger' | 'primary';
}

/** Asks once more before something is done. Answers `true` or nothing. Enter does it, but for what can not be taken back. */
export function ConfirmDialog({ title, lead, action, keep, kind = 'danger', resolve, close }: Dialogue<true> & Confirmation): ReactElement {
  const text = useText();
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {keep ?? text('ui.cancel')}
      </Button>
      <Button kind={kind} size="large" autoFocus={kind === 'primary'} onClick={() => resolve(true)}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={title} footer={footer}>
      <div className="text-fg2">{lead}</div>
    </Dialog>
  );
}
