import type { CompletedTask } from '@orrery/api';
import type { ReactElement } from 'react';
import { usePageQuery } from '../assets/use-page-query.ts';
import { http } from '../client/client.ts';
import { formatTime } from '../format/time.ts';
import { useText } from '../i18n/text.tsx';
import { SignedInOnly } from '../session/signed-in-only.tsx';
import { useSession } from '../session/session.ts';
import { useSettings } from '../settings/settings.ts';
import { useFormat } from '../settings/use-format.ts';
import { Button } from '../ui/button.tsx';
import { lazyDialog, openDialog } from '../ui/dialogs.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import type { Column } from '../ui/table.tsx';
import { RewardsNav } from './rewards-nav.tsx';
import { taskName } from './task-name.ts';
import { useProgress } from './use-progress.ts';

const ProgressDialog = lazyDialog(async () => (await import('./progress-dialog.tsx')).ProgressDialog);

function useColumns(): readonly Column<CompletedTask>[] {
  const text = useText();
  const format = useFormat();
  const zone = useSettings((settings) => settings.timeZone);
  return [
    { id: 'time', header: text('points.time'), cell: (row) => formatTime(row.completedAt * 1000, { zone, separator: '-' }) },
    { id: 'name', header: text('points.name'), cell: (row) => taskName(row.taskName) },
    { id: 'points', header: text('points.points'), align: 'end', cell: (row) => format.number(String(row.reward)) },
  ];
}

function ClaimHistory(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const address = useSession((state) => state.address) ?? '';
  const { rows, total, failed, retry, page, setPage } = usePageQuery<CompletedTask>({
    key: ['completedTasks', address],
    load: (next) => http.load('completedTasks', { body: { walletAddress: address, ...next } }),
  });
  const keyOf = (row: CompletedTask): string => `${row.completedAt}:${row.taskName}`;
  return (
    <Section title={text('points.history')}>
      <Table
        label={text('points.history')}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        failed={failed}
        onRetry={retry}
        empty={text('points.empty')}
        striped
      />
      <Pager {...page} total={total} onChange={setPage} />
    </Section>
  );
}

function Total(): ReactElement {
  const text = useText();
  const format = useFormat();
  const progress = useProgress();
  return (
    <div className="mb-5 rounded-md border border-line bg-panel p-4">
      <p className="text-sm text-fg3">{text('points.total')}</p>
      <p className="text-2xl font-semibold tracking-[-0.02em]">
        {progress === undefined ? <Skeleton className="h-6 w-32" /> : format.number(String(progress.points))}
      </p>
    </div>
  );
}

export function PointsPage(): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const actions = isSignedIn && <Button onClick={() => void openDialog(ProgressDialog, {})}>{text('progress.title')}</Button>;
  return (
    <Page width="reading" title={text('points.title')} lead={text('points.lead')} actions={actions}>
      <RewardsNav />
      <SignedInOnly invitation="points.signIn">
        <Total />
        <ClaimHistory />
      </SignedInOnly>
    </Page>
  );
}
