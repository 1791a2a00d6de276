import { useState } from 'react';
import type { ReactElement } from 'react';
import { act } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';

/** Ends every session of the account, and its API keys when the person says so. */
export function EndAllDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const [endsKeys, setEndsKeys] = useState(false);
  const [sending, setSending] = useState(false);
  const end = (): void => {
    setSending(true);
    act('revokeAllSessions', { body: { apiKeys: endsKeys } }, by).then(
      () => resolve(true),
      () => setSending(false),
    );
  };
  const footer = (
    <>
      <Button size="large" onClick={close}>
        {text('ui.cancel')}
      </Button>
      <Button kind="danger" size="large" busy={sending} onClick={end}>
        {text('sessions.endAll')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('sessions.endAllTitle')} footer={footer}>
      <div className="flex flex-col gap-4">
        <p className="text-fg2">{text('sessions.endAllLead')}</p>
        <Checkbox value={endsKeys} onChange={setEndsKeys}>
          {text('sessions.endKeys')}
        </Checkbox>
      </div>
    </Dialog>
  );
}
