import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { openEstablishConnection, openTerms, openWhitelist } from '../onboarding/actions.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { signOut, useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';

interface GateProps {
  readonly isOpen: boolean;
  readonly open: string;
  readonly closed: string;
  readonly action: string;
  readonly onAct: () => unknown;
}

/** Something that must be done once before trading: done, or the way to do it. */
function Gate({ isOpen, open, closed, action, onAct }: GateProps): ReactElement {
  return (
    <span className="flex items-center gap-3">
      <StateTag tone={isOpen ? 'done' : 'waiting'}>{isOpen ? open : closed}</StateTag>
      {!isOpen && (
        <Button size="small" onClick={() => void onAct()}>
          {action}
        </Button>
      )}
    </span>
  );
}

function Identity(): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { address, signedIn, inWhitelist } = useSession();
  if (address === undefined || signedIn === undefined) return null;
  return (
    <Section title={text('account.identity')}>
      <Facts>
        <Fact term={text('wallet.address')}>
          <Hash value={address} />
        </Fact>
        <Fact term={text('account.id')}>{signedIn.accountId}</Fact>
        <Fact term={text('account.terms')}>
          <Gate
            isOpen={signedIn.termsAccepted}
            open={text('account.accepted')}
            closed={text('account.notAccepted')}
            action={text('steps.terms.action')}
            onAct={openTerms}
          />
        </Fact>
        <Fact term={text('account.whitelist')}>
          <Gate
            isOpen={inWhitelist}
            open={text('account.yes')}
            closed={text('account.notYet')}
            action={text('steps.whitelist.action')}
            onAct={openWhitelist}
          />
        </Fact>
        <Fact term={text('account.connection')}>
          <Gate
            isOpen={signedIn.connected}
            open={text('account.established')}
            closed={text('account.notEstablished')}
            action={text('connection.button')}
            onAct={openEstablishConnection}
          />
        </Fact>
        <Fact term={text('account.sessionEnds')}>{format.time(signedIn.endsAt)}</Fact>
      </Facts>
    </Section>
  );
}

export function AccountPage(): ReactElement {
  const text = useText();
  return (
    <Page width="reading" title={text('account.title')} lead={text('account.lead')}>
      <SignedInOnly invitation="account.signIn">
        <Identity />
        <div className="flex flex-wrap gap-2">
          <LinkButton to="/account/api">{text('apiKeys.title')}</LinkButton>
          <LinkButton to="/account/security">{text('security.title')}</LinkButton>
          <LinkButton to="/account/verification">{text('verification.title')}</LinkButton>
          <LinkButton to="/account/login-record">{text('sessions.title')}</LinkButton>
          <LinkButton to="/account/export">{text('exports.title')}</LinkButton>
          <Button className="ms-auto" onClick={() => void signOut()}>
            {text('wallet.signOut')}
          </Button>
        </div>
      </SignedInOnly>
    </Page>
  );
}
