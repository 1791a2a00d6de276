/** Identities that people handed in: masked, shown in full for a reason, approved or sent back. */
import type { HandedInIdentity, IdentityDecision, OperatorSession, ShownIdentity } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { type Dialogue, lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';

const REASON = { min: 3, max: 200 };
const ReasonCodeDialog = lazyDialog(async () => (await import('./reason-dialogs.tsx')).ReasonCodeDialog);

type Decision = Pick<IdentityDecision, 'decision' | 'reason'>;

function DecideDialog({ identity, resolve, close }: Dialogue<Decision> & { readonly identity: ShownIdentity }): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const footer = (
    <>
      <Button size="large" disabled={reason.length < REASON.min} onClick={() => resolve({ decision: 'SENT_BACK', reason })}>
        {text('console.identity.sendBack')}
      </Button>
      <Button kind="primary" size="large" disabled={reason !== ''} onClick={() => resolve({ decision: 'APPROVED' })}>
        {text('console.identity.approve')}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title={text('console.identity.decideTitle', { number: identity.account })} footer={footer}>
      <div className="-mx-4 mb-3">
        <Facts>
          <Fact term={text('verification.realName')}>{identity.realName}</Fact>
          <Fact term={text('verification.country')}>{identity.country}</Fact>
          <Fact term={text('verification.document')}>{text(`verification.document.${identity.documentType}`)}</Fact>
          <Fact term={text('verification.number')}>{identity.documentNumber}</Fact>
          <Fact term={text('console.identity.files')}>
            <ul>
              {identity.files.map(({ url, type }, place) => (
                <li key={url}>
                  <a href={url} download className="underline">
                    {text('console.identity.file', { number: place + 1, type })}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
        </Facts>
      </div>
      <p className="mb-3 text-sm text-fg2">{text('console.identity.linkLife')}</p>
      <Field
        label={text('console.identity.backReason')}
        hint={text('console.identity.backReasonHint')}
        maxLength={REASON.max}
        value={typed}
        onChange={setTyped}
      />
    </Dialog>
  );
}

function Review({ entry: { account, handedInTime } }: { readonly entry: HandedInIdentity }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const review = async (): Promise<void> => {
    const reasonCode = await openDialog(ReasonCodeDialog, {});
    if (reasonCode === undefined) return;
    act(async () => {
      const identity = await consoleHttp.call('viewIdentity', { body: { account, reasonCode } });
      showSuccess('console.unmask.shown', { values: { left: identity.left } });
      void decide(identity);
    });
  };
  const decide = async (identity: ShownIdentity): Promise<void> => {
    const decision = await openDialog(DecideDialog, { identity });
    if (decision === undefined) return;
    act(
      () => consoleHttp.call('decideIdentity', { body: { account, handedInTime, ...decision } }),
      decision.decision === 'APPROVED' ? 'console.identity.approved' : 'console.identity.sentBack',
    );
  };
  return (
    <Button size="small" busy={busy} onClick={() => void review()}>
      {text('console.identity.review')}
    </Button>
  );
}

function useColumns(me: OperatorSession): readonly Column<HandedInIdentity>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.handedInTime) },
    { id: 'account', header: text('account.id'), cell: (row) => row.account },
    { id: 'name', header: text('verification.realName'), cell: (row) => row.realName },
    { id: 'country', header: text('verification.country'), wideOnly: true, cell: (row) => row.country },
    {
      id: 'document',
      header: text('verification.document'),
      cell: (row) => `${text(`verification.document.${row.documentType}`)} ${row.documentNumber}`,
    },
    { id: 'files', header: text('console.identity.files'), wideOnly: true, cell: (row) => row.files },
    {
      id: 'review',
      header: <span className="sr-only">{text('console.identity.review')}</span>,
      align: 'end',
      cell: (row) => (me.rights.includes('reviewer') ? <Review entry={row} /> : null),
    },
  ];
}

export function IdentityArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('identities');
  const list = useList('identities', page);
  return (
    <Page title={text('console.identity.title')} lead={text('console.identity.lead')}>
      <Section title={text('console.identity.queue')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.identity.queue')}
          columns={useColumns(me)}
          keyOf={(row) => String(row.account)}
          empty={text('console.identity.empty')}
        />
      </Section>
    </Page>
  );
}
