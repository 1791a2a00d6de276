import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { shortHash } from '../format/hash.ts';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { useArrival } from '../invite/arrival.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { openConnect } from '../sign-in/connect.tsx';
import { safeRedirect } from './safe-redirect.ts';

interface LoginProps {
  readonly title: MessageId;
  readonly lead: MessageId;
}

function Login({ title, lead }: LoginProps): ReactElement {
  const text = useText();
  const router = useRouter();
  const { redirect, inviteCode } = useSearch({ strict: false });
  useArrival(inviteCode);
  const target = safeRedirect(redirect, location.origin);
  const { address, phase } = useSession();
  const isSignedIn = phase === 'signedIn';
  useEffect(() => {
    // A page that sent the person here gets them back at once.
    if (isSignedIn && redirect !== undefined) router.history.replace(target);
  }, [isSignedIn, redirect, router, target]);
  const go = async (): Promise<void> => {
    if (isSignedIn || (await openConnect())) router.history.push(target);
  };
  return (
    <Page width="reading" title={text(title)} lead={text(lead)}>
      {inviteCode !== undefined && !isSignedIn && (
        <div className="mb-4">
          <Notice tone="info">{text('invite.arrived', { code: inviteCode })}</Notice>
        </div>
      )}
      {isSignedIn && address !== undefined && <p className="mb-3 text-fg2">{text('login.hasAccount', { address: shortHash(address) })}</p>}
      <Button kind="primary" size="large" onClick={() => void go()}>
        {text(isSignedIn ? 'login.continue' : 'wallet.connect')}
      </Button>
    </Page>
  );
}

export const LoginPage = (): ReactElement => <Login title="login.title" lead="login.lead" />;
export const RegisterPage = (): ReactElement => <Login title="login.registerTitle" lead="login.registerLead" />;
