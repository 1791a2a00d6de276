/** Two boxes, one signature. Declining, closing or failing lets the wallet go: without the terms there is nothing to do here. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { newTab } from '../../platform/client/in-app.ts';
import { Text, useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { showError } from '../../kit/ui/toast.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { acceptTerms } from './accept-terms.ts';

function LegalLink({ to, children }: { readonly to: string; readonly children?: string }): ReactElement {
  // Where there are tabs, a new one: following it in this one closes the dialog, until the person comes back from reading.
  return (
    <a href={to} {...newTab} className="text-link">
      {children}
    </a>
  );
}

export function TermsDialog({ resolve, close }: Dialogue<'accepted'>): ReactElement {
  const text = useText();
  const address = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [readsTerms, setReadsTerms] = useState(false);
  const [readsCookies, setReadsCookies] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const accept = async (): Promise<void> => {
    if (address === undefined) return close();
    setConfirming(true);
    try {
      await acceptTerms(address);
      useSettings.getState().set('analytics', true);
      resolve('accepted');
    } catch {
      showError(text('terms.failed'));
      close();
    }
  };
  const footer = (
    <>
      <Button size="large" disabled={confirming} onClick={close}>
        {text('terms.decline')}
      </Button>
      <Button kind="primary" size="large" disabled={!readsTerms || !readsCookies} aria-disabled={confirming} onClick={() => void accept()}>
        {text(confirming ? walletPrompt('sign', connector) : 'terms.accept')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title={text('terms.title')} description={text('terms.lead')} footer={footer}>
      <div className="flex flex-col gap-4">
        <Checkbox value={readsTerms} disabled={confirming} onChange={setReadsTerms}>
          <Text id="terms.use" components={{ 0: <LegalLink to="/terms" />, 1: <LegalLink to="/privacy" /> }} />
        </Checkbox>
        <Checkbox value={readsCookies} disabled={confirming} onChange={setReadsCookies}>
          <Text id="terms.cookies" components={{ 0: <LegalLink to="/cookies" /> }} />
        </Checkbox>
      </div>
    </Dialog>
  );
}
