/** The key of an e-mail wallet is shown on the signing page, by a code of the authenticator app. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { exportEmailWallet } from '../session/email-wallet.ts';
import { walletMessage } from '../session/sign.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Notice } from '../ui/notice.tsx';
import { OtpField } from '../ui/otp-field.tsx';

const CODE_LENGTH = 6;

export function ExportKeyDialog({ address, resolve, close }: Dialogue<true> & { readonly address: string }): ReactElement {
  const text = useText();
  const [google, setGoogle] = useState('');
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      await exportEmailWallet(address, google);
      resolve(true);
    } catch (error) {
      setProblem(walletMessage(error));
      setSending(false);
    }
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={google.length < CODE_LENGTH} busy={sending} onClick={() => void send()}>
      {text('security.exportKey')}
    </Button>
  );
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('security.exportKey')}
      description={text('security.exportLead')}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <OtpField label={text('security.code')} value={google} onChange={setGoogle} disabled={sending} />
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
