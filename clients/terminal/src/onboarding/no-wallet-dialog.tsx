/** What an account that a name opened can not do: nothing of it is signed, because it has no wallet. */
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { signOut } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';

export function NoWalletDialog({ close }: Dialogue<true>): ReactElement {
  const text = useText();
  const leave = (): void => {
    close();
    void signOut();
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" onClick={leave}>
      {text('wallet.signOut')}
    </Button>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('auth.walletNeeded')} footer={footer}>
      <p className="text-md text-fg2">{text('auth.walletNeededLead')}</p>
    </Dialog>
  );
}
