/** The ticket by which an e-mail wallet is recovered: with a code where an authenticator app is bound. */
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ticketByCode } from '../captcha/ticket-by-code.ts';
import { rejection } from '../client/failure.ts';
import { walletTicket } from '../client/wallet-ticket.ts';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Dialogue, openDialog } from '../ui/dialogs.tsx';
import { OtpField } from '../ui/otp-field.tsx';

const CODE_LENGTH = 6;

/** Answers the ticket. */
function RecoveryTicketDialog({ resolve, close }: Dialogue<string>): ReactElement {
  const text = useText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const send = (entered: string): void => {
    setSending(true);
    setProblem(undefined);
    ticketByCode('recover', entered).then(resolve, (error: unknown) => {
      setSending(false);
      setCode('');
      setProblem(rejection(error).message);
    });
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" busy={sending} disabled={code.length !== CODE_LENGTH} onClick={() => send(code)}>
      {text('security.continue')}
    </Button>
  );
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('security.recoverTitle')}
      description={text('security.recoverLead')}
      footer={footer}
    >
      <OtpField label={text('security.code')} value={code} onChange={setCode} onComplete={send} disabled={sending} error={problem} />
    </Dialog>
  );
}

/** @returns undefined when the person gives no code. */
export async function recoveryTicket(): Promise<string | undefined> {
  try {
    return await walletTicket('recover');
  } catch (error) {
    if (!(error instanceof CallError && error.reason === 'MissingField' && error.field === 'google')) throw error;
  }
  return openDialog(RecoveryTicketDialog, {});
}
