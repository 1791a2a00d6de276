import { APPEAL_LENGTH_MAX } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { act } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';

interface AppealProps {
  readonly walletAddress: string;
  readonly campaignId: string;
}

/** One's own words against being taken for somebody else. Answers `true` once they are sent. */
export function AppealDialog({ walletAddress, campaignId, resolve, close }: Dialogue<true> & AppealProps): ReactElement {
  const text = useText();
  const by = useActor();
  const [words, setWords] = useState('');
  const [isSending, setSending] = useState(false);
  const send = (): void => {
    setSending(true);
    act('fileAppeal', { body: { walletAddress, campaignId, text: words.trim() } }, by)
      .then(() => {
        showSuccess('withheld.sent');
        resolve(true);
      })
      // A refusal has been shown; the text stays.
      .catch(() => setSending(false));
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" busy={isSending} disabled={words.trim() === ''} onClick={send}>
      {text('withheld.send')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('withheld.appeal')} description={text('withheld.appealLead')} footer={footer}>
      <TextArea label={text('withheld.appealText')} maxLength={APPEAL_LENGTH_MAX} value={words} onChange={setWords} />
    </Dialog>
  );
}
