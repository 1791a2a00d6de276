import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';

export function DeleteKeyDialog({ label, resolve, close }: Dialogue<true> & { readonly label: string }): ReactElement {
  const text = useText();
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button kind="danger" size="large" onClick={() => resolve(true)}>
        {text('apiKeys.delete')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('apiKeys.deleteTitle')} footer={footer}>
      <p className="text-fg2">{text('apiKeys.deleteLead', { label })}</p>
    </Dialog>
  );
}
