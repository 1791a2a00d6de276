import { useState } from 'react';
import type { ReactElement } from 'react';
import { act } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { establishedConnection, signFor, useSession } from '../../platform/session/session.ts';
import { statementOf, walletMessage } from '../../platform/session/sign.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';

type Step = { readonly name: 'idle'; readonly problem?: string } | { readonly name: 'waiting' };

async function establish(address: string, by: By): Promise<void> {
  const signed = await signFor({ address, purpose: 'connection', statement: statementOf('connection') });
  await act('connection', { body: { ...signed } }, by);
  establishedConnection();
}

/** One gas-free signature opens trading for this account; it resolves when the exchange has it. */
export function ConnectionDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const by = useActor();
  const address = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [step, setStep] = useState<Step>({ name: 'idle' });
  const start = async (): Promise<void> => {
    if (address === undefined) return close();
    setStep({ name: 'waiting' });
    try {
      await establish(address, by);
      showSuccess('connection.done');
      resolve(true);
    } catch (error) {
      setStep({ name: 'idle', problem: walletMessage(error) });
    }
  };
  return (
    <Dialog open onClose={close} width="narrow" title={text('connection.title')}>
      <div className="flex flex-col gap-4">
        <p className="text-md text-fg2">{text('connection.text')}</p>
        {step.name === 'idle' && step.problem !== undefined && (
          <Notice tone="error">{text('wallet.failed', { reason: step.problem })}</Notice>
        )}
        <Button kind="primary" size="large" aria-disabled={step.name === 'waiting'} onClick={() => void start()}>
          {step.name === 'waiting' ? (
            <>
              <Spinner />
              <span role="status">{text(walletPrompt('sign', connector))}</span>
            </>
          ) : (
            text('connection.button')
          )}
        </Button>
      </div>
    </Dialog>
  );
}
