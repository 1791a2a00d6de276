/** The key of an e-mail wallet is shown on the signing page, by a second factor. */
import { useCallback, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { give, isWhole, useFactor, waysOfMoney } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { exportEmailWallet, hasShareHere, recoverHere } from '../../platform/session/email-wallet.ts';
import { walletMessage } from '../../platform/session/sign.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import type { AccountInfo } from './owner-proof.ts';

type Share = 'unknown' | 'missing' | 'here' | 'recovered';

/** A browser without a share of the wallet gets one before a factor is asked for: it may have been made void by a recovery elsewhere. */
function useShare(address: string, onProblem: (problem: string | undefined) => void) {
  const [share, setShare] = useState<Share>('unknown');
  const look = useCallback(
    () =>
      hasShareHere(address).then(
        (isHere) => setShare(isHere ? 'here' : 'missing'),
        (error: unknown) => onProblem(walletMessage(error)),
      ),
    [address, onProblem],
  );
  useEffect(() => void look(), [look]);
  const recover = async (): Promise<void> => {
    onProblem(undefined);
    try {
      if (await recoverHere(address)) setShare('recovered');
    } catch (error) {
      onProblem(walletMessage(error));
    }
  };
  return { share, look, recover };
}

export function ExportKeyDialog({ account, resolve, close }: Dialogue<true> & { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const factor = useFactor(waysOfMoney(account));
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { share, look, recover } = useShare(account.address, setProblem);
  const during = async (work: () => Promise<void>): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    await work();
    setSending(false);
  };
  const send = async (): Promise<void> => {
    try {
      await exportEmailWallet(account.address, await give(factor));
      resolve(true);
    } catch (error) {
      factor.enter('');
      await look();
      setProblem(walletMessage(error));
    }
  };
  const isMissing = share === 'missing';
  const footer = isMissing ? (
    <Button kind="primary" size="large" className="grow" busy={sending} onClick={() => void during(recover)}>
      {text('security.recoverHere')}
    </Button>
  ) : (
    <Button
      kind="primary"
      size="large"
      className="grow"
      disabled={share === 'unknown' || !isWhole(factor)}
      busy={sending}
      onClick={() => void during(send)}
    >
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
        {isMissing && <Notice tone="warn">{text('security.exportNoShare')}</Notice>}
        {share === 'recovered' && <Notice tone="ok">{text('security.exportRecovered')}</Notice>}
        {!isMissing && <FactorField factor={factor} disabled={sending} />}
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
