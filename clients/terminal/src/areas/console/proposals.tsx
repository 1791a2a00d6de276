/** What needs two persons: proposed by one, approved by another. */
import { mayOperate, type OperatorSession, type Proposal } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../kit/ui/confirm-dialog.tsx';
import { openDialog } from '../../kit/ui/dialogs.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Pager } from '../../kit/ui/pager.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useIsWide } from '../../kit/ui/use-is-wide.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { Effect } from './effect.tsx';
import { ExactChange } from './exact-change.tsx';
import { mapped, type Loaded } from '../../kit/ui/loaded.ts';

const tones = {
  WAITING: 'waiting',
  APPROVED: 'waiting',
  DONE: 'done',
  REFUSED: 'failed',
  REJECTED: 'failed',
  CANCELLED: 'failed',
  OUTDATED: 'neutral',
  EXPIRED: 'neutral',
} as const;

interface DecisionProps {
  readonly proposal: Proposal;
  readonly me: OperatorSession;
}

function Decision({ proposal, me }: DecisionProps): ReactElement | null {
  if (!mayOperate(me.role, 'operator')) return null;
  if (proposal.state === 'WAITING') return <Decide proposal={proposal} me={me} />;
  if (proposal.state === 'APPROVED') return <Cancel proposal={proposal} />;
  return proposal.state === 'DONE' ? <TakeBack proposal={proposal} /> : null;
}

/** What was given leads to where it is taken back. */
function TakeBack({ proposal: { proposalId, kind, change } }: Pick<DecisionProps, 'proposal'>): ReactElement | null {
  const text = useText();
  if (kind !== 'AWARD' && kind !== 'BUG_REPORT') return null;
  const id = kind === 'AWARD' ? `proposal-${proposalId}` : (JSON.parse(change) as { id: string }).id;
  return (
    <LinkButton size="small" to="/console/$area" params={{ area: 'rewards' }} search={{ award: `manual:${id}` }}>
      {text('console.rewards.reverse')}
    </LinkButton>
  );
}

function Cancel({ proposal: { proposalId } }: Pick<DecisionProps, 'proposal'>): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const cancel = (): void => act(() => consoleHttp.call('cancelProposal', { body: { proposalId } }), 'console.proposals.cancelled');
  return (
    <Button size="small" kind="danger" busy={busy} onClick={cancel}>
      {text('console.proposals.cancel')}
    </Button>
  );
}

function Decide({ proposal, me }: DecisionProps): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const { proposalId, hash, kind, change } = proposal;
  const isOwn = proposal.proposedBy === me.name;
  const approve = async (): Promise<void> => {
    const lead = (
      <>
        {text(`console.proposals.kind.${kind}`)}
        <ExactChange change={change} hash={hash} />
      </>
    );
    const title = text('console.proposals.approveTitle', { number: proposalId });
    const sure = await openDialog(ConfirmDialog, { title, lead, action: text('console.proposals.approve') });
    if (sure === true) act(() => consoleHttp.call('approveProposal', { body: { proposalId, hash } }), 'console.proposals.approved');
  };
  const reject = (): void => act(() => consoleHttp.call('rejectProposal', { body: { proposalId } }), 'console.proposals.rejected');
  return (
    <span className="inline-flex gap-2">
      {!isOwn && (
        <Button size="small" kind="primary" busy={busy} onClick={() => void approve()}>
          {text('console.proposals.approve')}
        </Button>
      )}
      <Button size="small" busy={busy} onClick={reject}>
        {text(isOwn ? 'console.proposals.takeBack' : 'console.proposals.reject')}
      </Button>
    </span>
  );
}

/** What became of it, through whom and when. */
function State({ proposal }: Pick<DecisionProps, 'proposal'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const { state, decidedBy, cancelledBy, refusal, expiresAt } = proposal;
  const who = cancelledBy ?? decidedBy;
  const isAlone = who === null && (state === 'APPROVED' || state === 'DONE');
  return (
    <div className="py-1.5 whitespace-normal">
      <StateTag tone={tones[state]}>
        {text(`console.proposals.state.${state}`)}
        {who !== null && ` (${who})`}
        {isAlone && ` (${text('console.proposals.alone')})`}
      </StateTag>
      {refusal !== null && <p className="text-fg3">{refusal}</p>}
      {state === 'WAITING' && <p className="text-fg3">{text('console.proposals.until', { time: format.time(expiresAt) })}</p>}
      <Effect proposal={proposal} />
    </div>
  );
}

function Kind({ proposal: { kind, proposedBy } }: Pick<DecisionProps, 'proposal'>): ReactElement {
  const text = useText();
  return (
    <div className="whitespace-normal">
      {text(`console.proposals.kind.${kind}`)}
      <p className="text-fg3">{text('console.proposals.proposedBy', { name: proposedBy })}</p>
    </div>
  );
}

function useColumns(me: OperatorSession): readonly Column<Proposal>[] {
  const text = useText();
  return [
    { id: 'number', header: text('console.number'), cell: (row) => row.proposalId },
    { id: 'kind', header: text('console.proposals.kind'), cell: (row) => <Kind proposal={row} /> },
    {
      id: 'change',
      header: text('console.proposals.change'),
      cell: (row) => <ExactChange change={row.change} hash={row.hash} />,
    },
    { id: 'state', header: text('console.state'), cell: (row) => <State proposal={row} /> },
    {
      id: 'decide',
      header: <span className="sr-only">{text('console.proposals.approve')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => <Decision proposal={row} me={me} />,
    },
  ];
}

/** Where there is room for one column, all of it is one. */
function useNarrowColumns(me: OperatorSession): readonly Column<Proposal>[] {
  const text = useText();
  return [
    {
      id: 'proposal',
      header: text('console.proposals.change'),
      cell: (row) => (
        <div className="flex flex-col gap-1 py-3">
          <div className="flex gap-3 font-medium">
            <span className="text-fg3">{row.proposalId}</span>
            <Kind proposal={row} />
          </div>
          <ExactChange change={row.change} hash={row.hash} />
          <State proposal={row} />
          <Decision proposal={row} me={me} />
        </div>
      ),
    },
  ];
}

export interface ProposalTableProps extends AreaProps {
  readonly label: string;
  readonly read: Loaded<readonly Proposal[]>;
  readonly empty: string;
}

export function ProposalTable({ me, ...rest }: ProposalTableProps): ReactElement {
  const [wide, narrow] = [useColumns(me), useNarrowColumns(me)];
  const columns = useIsWide() ? wide : narrow;
  return <Table {...rest} columns={columns} keyOf={(row) => String(row.proposalId)} />;
}

export function ProposalsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('proposals');
  const { read } = useList('proposals', page);
  return (
    <Page title={text('console.proposals.title')} lead={text('console.proposals.lead')}>
      <Section title={text('console.proposals.title')}>
        <ProposalTable
          me={me}
          label={text('console.proposals.title')}
          read={mapped(read, ({ list }) => list)}
          empty={text('console.proposals.empty')}
        />
        <Pager {...page} total={read.value?.total} onChange={setPage} />
      </Section>
    </Page>
  );
}
