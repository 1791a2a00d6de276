import type { Session } from '@orrery/api';
import type { ReactElement } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { showDone } from '../../platform/client/success.ts';
import { say, useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { signOut, useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { PageOf } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { browserName } from './browser-name.ts';
import { LoginRecords } from './login-records.tsx';
import { actor } from '../../kit/storage/account-in-view.ts';
import { mapped } from '../../kit/ui/loaded.ts';

const EndAllDialog = lazyDialog(async () => (await import('./account-dialogs.tsx')).EndAllDialog);

async function end(session: Session): Promise<void> {
  if (session.current) return signOut();
  await act('revokeSession', { body: { sessionId: session.sessionId } }, actor());
  showDone('delete', say('sessions.revoked'));
  await refresh('sessions');
}

/** The last call of this session: what is left is to forget it here. */
async function endAll(): Promise<void> {
  if ((await openDialog(EndAllDialog, {})) === true) await signOut();
}

function useColumns(): readonly Column<Session>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'browser',
      header: text('sessions.device'),
      cell: (row) => (
        <span className="flex items-center gap-3" title={row.userAgent}>
          <span className="font-medium">{browserName(row.userAgent)}</span>
          {row.current && <StateTag tone="done">{text('sessions.current')}</StateTag>}
        </span>
      ),
    },
    { id: 'ip', header: text('sessions.ip'), wideOnly: true, cell: (row) => row.ip },
    { id: 'since', header: text('sessions.since'), wideOnly: true, cell: (row) => format.time(row.createdTime) },
    { id: 'seen', header: text('sessions.lastSeen'), wideOnly: true, cell: (row) => format.time(row.lastSeenTime) },
    { id: 'ends', header: text('sessions.ends'), wideOnly: true, cell: (row) => format.time(row.endTime) },
    {
      id: 'end',
      header: <span className="sr-only">{text('sessions.revoke')}</span>,
      align: 'end',
      pinned: true,
      cell: (row) => (
        <Button size="small" onClick={() => void end(row).catch(() => undefined)}>
          {text(row.current ? 'wallet.signOut' : 'sessions.revoke')}
        </Button>
      ),
    },
  ];
}

function SessionTable(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const [page, setPage] = usePageInUrl('sessions');
  const read = useData({ name: 'sessions', of: 'account' });
  const start = (page.page - 1) * page.pageSize;
  const query: PageOf<Session> = {
    read: mapped(read, ({ list }) => list.slice(start, start + page.pageSize)),
    updating: false,
    pager: { ...page, total: read.value?.total, onChange: setPage },
  };
  return (
    <PagedTable
      query={query}
      label={text('sessions.title')}
      columns={columns}
      keyOf={(row) => row.sessionId}
      empty={text('sessions.empty')}
    />
  );
}

export function SessionsPage(): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const actions = isSignedIn && (
    <Button kind="danger" onClick={() => void endAll().catch(() => undefined)}>
      {text('sessions.endAll')}
    </Button>
  );
  return (
    <Page title={text('sessions.title')} lead={text('sessions.lead')} actions={actions}>
      <SignedInOnly invitation="account.signIn">
        <Section title={text('sessions.title')}>
          <SessionTable />
        </Section>
        <Section title={text('logins.title')}>
          <LoginRecords />
        </Section>
      </SignedInOnly>
    </Page>
  );
}
