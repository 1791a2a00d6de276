/** What an account that a name opened can not do before it has a wallet, and the way to get one. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { useData } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { give, isWhole, useFactor, waysOf } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { createEmailWallet } from '../../platform/session/email-wallet.ts';
import { signOut } from '../../platform/session/session.ts';
import { walletMessage } from '../../platform/session/sign.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Notice } from '../../kit/ui/notice.tsx';

/** Resolves with `true` when there is a wallet. */
export function NoWalletDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const canCreate = useConfig()?.signerOrigin != null;
  const reading = useData({ name: 'accountInfo', of: 'account' });
  const { value: account } = reading;
  const factor = useFactor(waysOf(account));
  const [creating, setCreating] = useState(false);
  const [problem, setProblem] = useState<string>();
  const leave = (): void => {
    close();
    void signOut();
  };
  const create = async (): Promise<void> => {
    setCreating(true);
    setProblem(undefined);
    try {
      await createEmailWallet(await give(factor));
      resolve(true);
    } catch (error) {
      setProblem(walletMessage(error));
      setCreating(false);
    }
  };
  const footer = (
    <>
      <Button size="large" disabled={creating} className={canCreate ? '' : 'grow'} onClick={leave}>
        {text('wallet.signOut')}
      </Button>
      {canCreate && (
        <Button
          kind="primary"
          size="large"
          className="grow"
          busy={creating}
          disabled={account === undefined || !isWhole(factor)}
          onClick={() => void create()}
        >
          {text('auth.createWallet')}
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('auth.walletNeeded')} footer={footer}>
      <div className="flex flex-col gap-4">
        <p className="text-md text-fg2">{text(canCreate ? 'auth.createWalletLead' : 'auth.walletNeededLead')}</p>
        {canCreate && <FactorField factor={factor} disabled={creating} />}
        {reading.phase === 'failed' && <FailedState onRetry={reading.retry} />}
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
