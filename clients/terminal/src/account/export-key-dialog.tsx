/** The key of an e-mail wallet is shown on the signing page, by a second factor. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { FactorField } from '../factors/factor-field.tsx';
import { give, isWhole, useFactor, waysOfMoney } from '../factors/factor.ts';
import { useText } from '../i18n/text.tsx';
import { exportEmailWallet } from '../session/email-wallet.ts';
import { walletMessage } from '../session/sign.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Notice } from '../ui/notice.tsx';
import type { AccountInfo } from './owner-proof.ts';

export function ExportKeyDialog({ account, resolve, close }: Dialogue<true> & { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const factor = useFactor(waysOfMoney(account));
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      await exportEmailWallet(account.address, await give(factor));
      resolve(true);
    } catch (error) {
      setProblem(walletMessage(error));
      setSending(false);
    }
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={!isWhole(factor)} busy={sending} onClick={() => void send()}>
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
        <FactorField factor={factor} disabled={sending} />
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
