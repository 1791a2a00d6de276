/** Appeals against clusters: what people say to being taken for one hand, and what they are answered. */
import { mayOperate, type AppealDecision, type FiledAppeal, type OperatorSession } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { type Dialogue, openDialog } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';

const tones = { WAITING: 'waiting', ACCEPTED: 'done', DECLINED: 'failed' } as const;
const ANSWER_LENGTH = { min: 3, max: 300 };

type Decision = Pick<AppealDecision, 'decision' | 'answer'>;

function DecideDialog({ appeal, resolve, close }: Dialogue<Decision> & { readonly appeal: FiledAppeal }): ReactElement {
  const text = useText();
  const [answer, setAnswer] = useState('');
  const words = answer.trim();
  const isShort = words.length < ANSWER_LENGTH.min;
  const footer = (
    <>
      <Button size="large" disabled={isShort} onClick={() => resolve({ decision: 'DECLINED', answer: words })}>
        {text('console.appeals.decline')}
      </Button>
      <Button kind="primary" size="large" disabled={isShort} onClick={() => resolve({ decision: 'ACCEPTED', answer: words })}>
        {text('console.appeals.accept')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title={text('console.appeals.decideTitle', { number: appeal.appealId })} footer={footer}>
      <p className="mb-3 whitespace-pre-wrap text-fg">{appeal.text}</p>
      <p className="mb-3 text-sm text-fg2">{text('console.appeals.lead')}</p>
      <Field
        label={text('console.appeals.answer')}
        hint={text('console.appeals.answerHint')}
        maxLength={ANSWER_LENGTH.max}
        value={answer}
        onChange={setAnswer}
      />
    </Dialog>
  );
}

function Decide({ appeal }: { readonly appeal: FiledAppeal }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const decide = async (): Promise<void> => {
    const decision = await openDialog(DecideDialog, { appeal });
    if (decision === undefined) return;
    act(async () => {
      const { proposalId } = await consoleHttp.call('decideAppeal', { body: { appealId: appeal.appealId, ...decision } });
      showSuccess(proposalId === null ? 'console.appeals.declined' : 'console.proposed');
    });
  };
  return (
    <Button size="small" busy={busy} onClick={() => void decide()}>
      {text('console.appeals.decide')}
    </Button>
  );
}

function Accounts({ appeal }: { readonly appeal: FiledAppeal }): ReactElement {
  return (
    <ul className="py-1">
      {[...new Set(appeal.members)].map((address) => (
        <li key={address}>
          <span className="font-mono text-sm">{address}</span>
        </li>
      ))}
    </ul>
  );
}

function State({ appeal: { state, answer } }: { readonly appeal: FiledAppeal }): ReactElement {
  const text = useText();
  return (
    <div className="whitespace-normal">
      <StateTag tone={tones[state]}>{text(`console.appeals.state.${state}`)}</StateTag>
      {answer !== '' && <p className="text-fg3">{answer}</p>}
    </div>
  );
}

function useColumns(me: OperatorSession): readonly Column<FiledAppeal>[] {
  const text = useText();
  const format = useFormat();
  const evidenceOf = ({ evidence }: FiledAppeal): string => evidence.map((kind) => text(`console.clusters.evidence.${kind}`)).join(', ');
  return [
    { id: 'number', header: text('console.number'), cell: (row) => row.appealId },
    { id: 'at', header: text('console.at'), wideOnly: true, cell: (row) => format.time(row.filedAt) },
    { id: 'campaign', header: text('console.clusters.campaign'), cell: (row) => row.campaignId },
    { id: 'address', header: text('console.address'), cell: (row) => <span className="font-mono text-sm">{row.address}</span> },
    { id: 'members', header: text('console.clusters.members'), cell: (row) => <Accounts appeal={row} /> },
    { id: 'reason', header: text('console.reason'), cell: evidenceOf },
    { id: 'text', header: text('console.appeals.text'), cell: (row) => <p className="max-w-80 whitespace-pre-wrap">{row.text}</p> },
    { id: 'state', header: text('console.state'), cell: (row) => <State appeal={row} /> },
    {
      id: 'decide',
      header: <span className="sr-only">{text('console.appeals.decide')}</span>,
      align: 'end',
      cell: (row) => (row.state === 'WAITING' && mayOperate(me.role, 'operator') ? <Decide appeal={row} /> : null),
    },
  ];
}

export function Appeals({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('appeals');
  const list = useList('appeals', page);
  return (
    <Section title={text('console.appeals.title')}>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.appeals.title')}
        columns={useColumns(me)}
        keyOf={(row) => String(row.appealId)}
        empty={text('console.appeals.empty')}
      />
    </Section>
  );
}
