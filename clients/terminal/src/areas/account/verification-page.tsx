/** The identity of the person: its state, what comes next, and the form by which it is handed in, again too after it was sent back. */
import { IDENTITY_STATES } from '@orrery/api';
import type { CallData, IdentityState } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { IdentityForm } from './identity-form.tsx';

/** An operator decides meanwhile. */
const DECISION_POLL_MS = 10_000;

const tones = { NONE: 'neutral', HANDED_IN: 'waiting', APPROVED: 'done', SENT_BACK: 'failed' } as const satisfies Record<
  IdentityState,
  string
>;

const stateOf = (account: CallData['accountInfo'] | undefined): IdentityState => IDENTITY_STATES[account?.idNoStatus ?? 0] ?? 'NONE';

function Identity({ account }: { readonly account: CallData['accountInfo'] }): ReactElement {
  const text = useText();
  const state = stateOf(account);
  return (
    <>
      <Section title={text('account.identity')}>
        <Facts>
          <Fact term={text('verification.state')}>
            <StateTag tone={tones[state]}>{text(`verification.state.${state}`)}</StateTag>
          </Fact>
          {account.realName !== null && <Fact term={text('verification.realName')}>{account.realName}</Fact>}
        </Facts>
        <p className="px-4 pb-4 text-fg2">{text(`verification.next.${state}`)}</p>
      </Section>
      {account.backReason !== null && (
        <div className="mb-5">
          <Notice tone="warn">{text('verification.backReason', { reason: account.backReason })}</Notice>
        </div>
      )}
      {(state === 'NONE' || state === 'SENT_BACK') && (
        <Section title={text('verification.handIn')}>
          <IdentityForm key={account.accountId} />
        </Section>
      )}
    </>
  );
}

function Verification(): ReactElement {
  const { value, phase, retry } = useData({
    name: 'accountInfo',
    of: 'account',
    pollMs: (account) => (stateOf(account) === 'HANDED_IN' ? DECISION_POLL_MS : undefined),
  });
  if (value !== undefined) return <Identity account={value} />;
  return phase === 'failed' ? <FailedState onRetry={retry} /> : <Skeleton className="w-72" />;
}

export function VerificationPage(): ReactElement {
  const text = useText();
  return (
    <Page width="reading" title={text('verification.title')} lead={text('verification.lead')}>
      <SignedInOnly invitation="account.signIn">
        <Verification />
      </SignedInOnly>
    </Page>
  );
}
