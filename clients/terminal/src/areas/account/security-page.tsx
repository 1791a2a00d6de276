/** What guards the account, and what to do next to guard it better. */
import type { ReactElement } from 'react';
import { DeleteAccount } from './delete-account.tsx';
import type { AddedFactor } from './factor-added-dialog.tsx';
import type { AccountInfo } from './owner-proof.ts';
import { Passkeys } from './passkeys.tsx';
import { useData } from '../../platform/data/use-data.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';

const LEVELS = 3;

const BindAppDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).BindAppDialog);
const BindNameDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).BindNameDialog);
const SetPasswordDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).SetPasswordDialog);
const ExportKeyDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).ExportKeyDialog);
const FactorAddedDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).FactorAddedDialog);

async function bindApp(account: AccountInfo): Promise<void> {
  const codes = await openDialog(BindAppDialog, { account });
  if (codes !== undefined) await openDialog<never, AddedFactor>(FactorAddedDialog, { kind: 'app', codes });
}

interface NameFactProps {
  readonly term: string;
  /** What is bound, masked, or that it is; undefined while nothing is. */
  readonly bound: string | undefined;
  readonly onChange: () => unknown;
}

function NameFact({ term, bound, onChange }: NameFactProps): ReactElement {
  const text = useText();
  return (
    <Fact term={term}>
      <span className="flex flex-wrap items-center gap-3">
        <StateTag tone={bound === undefined ? 'waiting' : 'done'}>{bound ?? text('security.notBound')}</StateTag>
        <Button
          size="small"
          aria-label={`${text(bound === undefined ? 'security.setUp' : 'security.replace')}: ${term}`}
          onClick={() => void onChange()}
        >
          {text(bound === undefined ? 'security.setUp' : 'security.replace')}
        </Button>
      </span>
    </Fact>
  );
}

/** Who entered by codes alone has nothing to show for a change but another code: the page of the reset sends it. */
function FirstPassword(): ReactElement {
  const text = useText();
  return (
    <Fact term={text('auth.password')}>
      <span className="flex flex-wrap items-center gap-3">
        <StateTag tone="waiting">{text('security.notBound')}</StateTag>
        <LinkButton to="/auth/reset" size="small" aria-label={`${text('security.setUp')}: ${text('auth.password')}`}>
          {text('security.setUp')}
        </LinkButton>
      </span>
    </Fact>
  );
}

/** What the account can be entered by beside a wallet. */
function Names({ account }: { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const { email, tel, passwordSecurityStatus, authType } = account;
  const isByCodes = authType === 'NAME' && !passwordSecurityStatus;
  return (
    <>
      <NameFact
        term={text('auth.email')}
        bound={email ?? undefined}
        onChange={() => openDialog(BindNameDialog, { account, kind: 'email' as const })}
      />
      <NameFact
        term={text('security.phone')}
        bound={tel ?? undefined}
        onChange={() => openDialog(BindNameDialog, { account, kind: 'phone' as const })}
      />
      {isByCodes && <FirstPassword />}
      {!isByCodes && (email !== null || tel !== null) && (
        <NameFact
          term={text('auth.password')}
          bound={passwordSecurityStatus ? text('security.set') : undefined}
          onChange={() => openDialog(SetPasswordDialog, { account })}
        />
      )}
    </>
  );
}

/** Of an e-mail wallet, the key can be taken out, where a factor is bound. */
function WalletState({ account }: { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const { authType, emailLogin, googleSecurityStatus, passkeySecurityStatus } = account;
  if (authType === 'NAME') return <StateTag tone="waiting">{text('security.noWallet')}</StateTag>;
  if (!emailLogin) return <StateTag tone="done">{text('security.walletState')}</StateTag>;
  return (
    <span className="flex flex-wrap items-center gap-3">
      <StateTag tone="done">{text('security.emailWallet')}</StateTag>
      {(googleSecurityStatus || passkeySecurityStatus) && (
        <Button size="small" onClick={() => void openDialog(ExportKeyDialog, { account })}>
          {text('security.exportKey')}
        </Button>
      )}
    </span>
  );
}

/** What would guard the account better; a passkey alone is lost with its device. */
function nextOf({ googleSecurityStatus, passkeySecurityStatus }: AccountInfo): MessageId {
  if (!passkeySecurityStatus) return googleSecurityStatus ? 'security.nextPasskey' : 'security.nextFactor';
  return googleSecurityStatus ? 'security.nextNothing' : 'security.nextSpare';
}

function Guards(): ReactElement {
  const text = useText();
  const format = useFormat();
  const { value, phase, retry } = useData({ name: 'accountInfo', of: 'account' });
  if (value === undefined) return phase === 'failed' ? <FailedState onRetry={retry} /> : <Skeleton className="mb-5 w-72" />;
  const isBound = value.googleSecurityStatus;
  return (
    <>
      {value.withdrawalsHeldUntil !== null && (
        <div className="mb-5">
          <Notice tone="warn">{text('security.heldUntil', { time: format.time(value.withdrawalsHeldUntil) })}</Notice>
        </div>
      )}
      <Section title={text('security.level', { level: value.securityLevel, levels: LEVELS })}>
        <Facts>
          <Fact term={text('security.wallet')}>
            <WalletState account={value} />
          </Fact>
          <Names account={value} />
          <Fact term={text('security.app')}>
            <span className="flex flex-wrap items-center gap-3">
              <StateTag tone={isBound ? 'done' : 'waiting'}>{text(isBound ? 'security.bound' : 'security.notBound')}</StateTag>
              <Button
                size="small"
                kind={isBound ? 'quiet' : value.passkeySecurityStatus ? 'primary' : 'secondary'}
                onClick={() => void bindApp(value)}
              >
                {text(isBound ? 'security.replace' : 'security.setUp')}
              </Button>
            </span>
          </Fact>
        </Facts>
        <p className="px-4 pb-4 text-fg2">{text(nextOf(value))}</p>
      </Section>
      <Passkeys account={value} />
    </>
  );
}

export function SecurityPage(): ReactElement {
  const text = useText();
  return (
    <Page width="reading" title={text('security.title')} lead={text('security.lead')}>
      <SignedInOnly invitation="account.signIn">
        <Guards />
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/account/verification">{text('verification.title')}</LinkButton>
          <LinkButton to="/account/login-record">{text('sessions.title')}</LinkButton>
        </div>
        <DeleteAccount />
      </SignedInOnly>
    </Page>
  );
}
