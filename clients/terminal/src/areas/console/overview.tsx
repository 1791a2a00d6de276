/** The front page: what somebody should know of, what waits for somebody, and what takes effect soon. */
import type { Proposal } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Alarms } from './alarms.tsx';
import { useOpenProposals } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { Effect } from './effect.tsx';
import { ProposalTable } from './proposals.tsx';
import { mapped } from '../../kit/ui/loaded.ts';

/** Approved by nobody, because there is nobody yet. */
function InvitedAlone({ proposal }: { readonly proposal: Proposal }): ReactElement {
  const text = useText();
  const { name } = JSON.parse(proposal.change) as { name: string };
  return (
    <Notice tone="warn">
      {text('console.overview.alone', { by: proposal.proposedBy, name })}
      <Effect proposal={proposal} />
    </Notice>
  );
}

export function OverviewArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const read = useOpenProposals();
  const alone =
    read.value?.list.filter(({ kind, state, decidedBy }) => kind === 'INVITE' && state === 'APPROVED' && decidedBy === null) ?? [];
  return (
    <Page title={text('console.overview.title')} lead={text('console.overview.lead')}>
      <div className="mb-5 flex flex-col gap-2 empty:hidden">
        {alone.map((proposal) => (
          <InvitedAlone key={proposal.proposalId} proposal={proposal} />
        ))}
      </div>
      <Section title={text('console.overview.open')}>
        <ProposalTable
          me={me}
          label={text('console.overview.open')}
          read={mapped(read, ({ list }) => list)}
          empty={text('console.overview.nothing')}
        />
      </Section>
      <Alarms />
    </Page>
  );
}
