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
}

/** Asks once more before something that can not be taken back. Answers `true` or nothing. */
export function ConfirmDialog({ title, lead, action, resolve, close }: Dialogue<true> & Confirmation): ReactElement {
  const text = useText();
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button kind="danger" size="large" onClick={() => resolve(true)}>
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
