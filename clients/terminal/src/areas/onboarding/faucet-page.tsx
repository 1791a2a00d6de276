import type { ReactElement } from 'react';
import { TransactionLink } from '../explorer/transaction-link.tsx';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { openWhitelist } from './actions.ts';
import { Checklist } from './checklist.tsx';
import { nextExpansion } from './next-expansion.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { ClaimButton } from '../faucet/claim-button.tsx';
import { useFaucet } from '../faucet/claim.ts';
import { FaucetAmounts } from '../faucet/faucet-amounts.tsx';

/** The steps that have a button in the page's middle. */
const BUTTONS = ['connect', 'faucet'] as const;

function WhitelistFact(): ReactElement {
  const text = useText();
  const now = useServerNow(1_000);
  const { inWhitelist, checkingWhitelistStatus } = useSession();
  if (checkingWhitelistStatus !== 'complete') return <Skeleton />;
  if (inWhitelist) return <StateTag tone="done">{text('faucet.whitelistedYes')}</StateTag>;
  return (
    <span className="flex flex-wrap items-center gap-3">
      <StateTag tone="waiting">{text('faucet.whitelistedNo')}</StateTag>
      <span className="text-fg2">{text('whitelist.next', { span: formatSpan(nextExpansion(now) - now) })}</span>
      <Button size="small" onClick={() => void openWhitelist()}>
        {text('whitelist.join')}
      </Button>
    </span>
  );
}

function ClaimSection(): ReactElement {
  const text = useText();
  const faucet = useFaucet();
  const { signedIn, inWhitelist } = useSession();
  const mayClaim = signedIn?.termsAccepted === true && inWhitelist;
  return (
    <Section title={text('faucet.status')}>
      <Facts>
        <Fact term={text('faucet.whitelisted')}>
          <WhitelistFact />
        </Fact>
        <Fact term={text('faucet.title')}>
          {mayClaim || faucet?.status !== 0 ? (
            <ClaimButton />
          ) : (
            <Button kind="primary" disabled>
              {text('faucet.claim')}
            </Button>
          )}
        </Fact>
        {faucet?.txHash != null && (
          <Fact term={text('faucet.transaction')}>
            <TransactionLink hash={faucet.txHash} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

export function FaucetPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('faucet.title')} lead={text('faucet.lead')}>
      <div className="grid items-start gap-5 laptop:has-[aside:not(:empty)]:grid-cols-[minmax(0,1fr)_auto]">
        <div className="min-w-0">
          <SignedInOnly invitation="faucet.connectFirst">
            <ClaimSection />
            <Section title={text('faucet.amounts')}>
              <FaucetAmounts />
            </Section>
          </SignedInOnly>
        </div>
        <aside className="w-full rounded-md border-line bg-panel empty:hidden max-laptop:order-first laptop:w-72 [&:not(:empty)]:border">
          <Checklist onPage={BUTTONS} />
        </aside>
      </div>
    </Page>
  );
}
