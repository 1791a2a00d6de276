/** The ways in: a wallet, or a name with a password or a code; and the ways to get a name and a new password. */
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { newTab } from '../../platform/client/in-app.ts';
import { shortHash } from '../../kit/format/hash.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useArrival } from '../invite/arrival.ts';
import { useSession } from '../../platform/session/session.ts';
import { openConnect } from '../sign-in/connect.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { EmailCodeForm, NewPasswordForm, PasswordForm } from './name-forms.tsx';
import { safeRedirect } from './safe-redirect.ts';

interface LoginProps {
  readonly title: MessageId;
  readonly lead: MessageId;
  /** For those who have no wallet at hand. */
  readonly children: ReactNode;
}

/** The links between the pages keep where the person came from. */
function useKeptSearch(): { redirect?: string; inviteCode?: string } {
  const { redirect, inviteCode } = useSearch({ strict: false });
  return { ...(redirect !== undefined && { redirect }), ...(inviteCode !== undefined && { inviteCode }) };
}

/** Messages that no server sends are read on a page of ours: only where the exchange is tried out. */
function MailboxLink(): ReactElement | null {
  const text = useText();
  const environment = useConfig()?.environment;
  if (environment !== 'test') return null;
  return (
    <a href="/mailbox" className="text-sm text-fg2 underline hover:text-fg" {...newTab}>
      {text('auth.mailbox')}
    </a>
  );
}

function Login({ title, lead, children }: LoginProps): ReactElement {
  const text = useText();
  const router = useRouter();
  const { redirect, inviteCode } = useKeptSearch();
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
      {!isSignedIn && <div className="mt-6">{children}</div>}
    </Page>
  );
}

function NameLogin(): ReactElement {
  const text = useText();
  const search = useKeptSearch();
  const [way, setWay] = useState<'password' | 'code'>('password');
  return (
    <Section
      title={text(way === 'password' ? 'auth.byPassword' : 'auth.byCode')}
      aside={
        <Button size="small" onClick={() => setWay(way === 'password' ? 'code' : 'password')}>
          {text(way === 'password' ? 'auth.useCode' : 'auth.usePassword')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        {way === 'password' ? <PasswordForm /> : <EmailCodeForm />}
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton to="/auth/register" search={search} size="small">
            {text('auth.register')}
          </LinkButton>
          <LinkButton to="/auth/reset" search={search} size="small">
            {text('auth.forgot')}
          </LinkButton>
          <MailboxLink />
        </div>
      </div>
    </Section>
  );
}

function NameRegistration(): ReactElement {
  const text = useText();
  const search = useKeptSearch();
  return (
    <Section title={text('auth.register')}>
      <div className="flex flex-col gap-4 p-4">
        <Notice tone="info">{text('auth.withoutWallet')}</Notice>
        <NewPasswordForm purpose="register" />
        <div className="flex flex-wrap items-center gap-2">
          <LinkButton to="/auth/login" search={search} size="small">
            {text('auth.hasAccount')}
          </LinkButton>
          <MailboxLink />
        </div>
      </div>
    </Section>
  );
}

export const LoginPage = (): ReactElement => (
  <Login title="login.title" lead="login.lead">
    <NameLogin />
  </Login>
);

export const RegisterPage = (): ReactElement => (
  <Login title="login.registerTitle" lead="login.registerLead">
    <NameRegistration />
  </Login>
);

export function ResetPage(): ReactElement {
  const text = useText();
  const search = useKeptSearch();
  const [isDone, setDone] = useState(false);
  return (
    <Page width="reading" title={text('auth.reset')} lead={text('auth.resetLead')}>
      {isDone ? (
        <div className="flex flex-col items-start gap-4">
          <Notice tone="info">{text('auth.resetDone')}</Notice>
          <LinkButton to="/auth/login" search={search} kind="primary" size="large">
            {text('auth.logIn')}
          </LinkButton>
        </div>
      ) : (
        <Section title={text('auth.newPassword')}>
          <div className="flex flex-col gap-4 p-4">
            <NewPasswordForm purpose="reset" onReset={() => setDone(true)} />
            <MailboxLink />
          </div>
        </Section>
      )}
    </Page>
  );
}
