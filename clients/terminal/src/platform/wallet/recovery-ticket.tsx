/** The ticket by which an e-mail wallet is recovered: with a second factor where one is bound. */
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ticketByFactor } from '../captcha/ticket-by-factor.ts';
import { guardedAccount } from '../client/factor-calls.ts';
import { toastText } from '../client/failure.ts';
import { tryWalletTicket } from '../client/wallet-ticket.ts';
import { FactorField } from '../factors/factor-field.tsx';
import { type Factor, give, isWhole, useFactor, waysOf } from '../factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { type Dialogue, openDialog } from '../../kit/ui/dialogs.tsx';
import { showError } from '../../kit/ui/toast.ts';

/** Answers the ticket. */
function RecoveryTicketDialog({ ways, resolve, close }: Dialogue<string> & { readonly ways: readonly Factor[] }): ReactElement {
  const text = useText();
  const factor = useFactor(ways);
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const send = async (code: string): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      resolve(await ticketByFactor('recover', await give({ way: factor.way, code })));
    } catch (error) {
      setSending(false);
      factor.enter('');
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" busy={sending} disabled={!isWhole(factor)} onClick={() => void send(factor.code)}>
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
      <div className="flex flex-col gap-4">
        <FactorField factor={factor} disabled={sending} error={problem} onComplete={(code) => void send(code)} />
      </div>
    </Dialog>
  );
}

/** @returns undefined when the person gives no factor. */
export async function recoveryTicket(): Promise<string | undefined> {
  try {
    return await tryWalletTicket('recover');
  } catch (error) {
    // That a factor is missing is no failure: it is asked for. Anything else is said, as wherever a person asked for something.
    if (!(error instanceof CallError && error.reason === 'MissingField' && ['google', 'passkey'].includes(error.field))) {
      showError(toastText(error));
      throw error;
    }
  }
  return openDialog(RecoveryTicketDialog, { ways: waysOf(await guardedAccount()) }, { of: 'everybody' });
}
