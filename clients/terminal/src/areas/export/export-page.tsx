/** Files of the account's history, made by the exchange: asked for in a dialog, listed with their progress, saved while they are kept. */
import { EXPORT_KEPT_DAYS } from '@orrery/api';
import type { Export } from '@orrery/api';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import { useData } from '../../platform/data/use-data.ts';
import { Text, useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { actor } from '../../kit/storage/account-in-view.ts';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { saveFrom } from '../../kit/ui/download.ts';
import { mapped } from '../../kit/ui/loaded.ts';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Progress } from '../../kit/ui/progress.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';

const ExportDialog = lazyDialog(async () => (await import('./export-dialog.tsx')).ExportDialog);

const LOOK_MS = 1_500;

const isAtWork = ({ state }: Export): boolean => state === 'WAITING' || state === 'RUNNING';

async function create(): Promise<void> {
  if ((await openDialog(ExportDialog, {})) === true) await refresh('exports');
}

async function retry({ exportId }: Export): Promise<void> {
  await act('retryExport', { body: { exportId } }, actor()).catch(() => undefined);
  await refresh('exports');
}

async function save({ exportId }: Export, { file }: Export['files'][number]): Promise<void> {
  const { url } = await act('linkExport', { query: { exportId, file } });
  saveFrom(url);
}

/** Days in UTC, as the files have them. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function What({ made }: { readonly made: Export }): ReactElement {
  const text = useText();
  const { layout, startTime, endTime } = made;
  return (
    <span className="flex flex-col py-1.5">
      <span className="font-medium">{text(`exports.layout.${layout}`)}</span>
      <span className="text-sm text-fg2">
        {startTime === null ? text('exports.period.all') : text('exports.begins', { day: dayOf(startTime) })}
      </span>
      {endTime !== null && <span className="text-sm text-fg2">{text('exports.ends', { day: dayOf(endTime) })}</span>}
    </span>
  );
}

function State({ made }: { readonly made: Export }): ReactElement {
  const text = useText();
  const format = useFormat();
  if (isAtWork(made))
    return (
      <span className="flex min-w-24 flex-col gap-1">
        <span className="text-sm text-fg2">
          {made.state === 'WAITING'
            ? text('exports.state.WAITING')
            : text('exports.written', { rows: format.number(String(made.rows)), percent: made.progress })}
        </span>
        <Progress label={text('exports.progress')} percent={made.progress} />
      </span>
    );
  if (made.state === 'READY')
    return (
      <span className="flex flex-col items-start gap-0.5 py-1.5">
        <StateTag tone="done">{text('exports.state.READY')}</StateTag>
        {made.expiresTime !== null && (
          <span className="text-sm text-fg2 max-tablet:hidden">{text('exports.until', { time: format.time(made.expiresTime) })}</span>
        )}
      </span>
    );
  return (
    <span className="flex flex-col items-start gap-1 py-1.5 max-tablet:whitespace-normal">
      <StateTag tone="failed">{text('exports.state.FAILED')}</StateTag>
      <span className="text-sm text-fg2">{text(`exports.failure.${made.failure ?? 'ERROR'}`)}</span>
    </span>
  );
}

function Files({ made }: { readonly made: Export }): ReactElement | null {
  const text = useText();
  if (made.state === 'FAILED')
    return (
      <Button size="small" onClick={() => void retry(made)}>
        {text('ui.retry')}
      </Button>
    );
  if (made.state !== 'READY') return null;
  return (
    <span className="flex flex-wrap justify-end gap-1.5 py-1.5">
      {made.files.map((file) => (
        <Button
          key={file.file}
          size="small"
          title={text('exports.rows', { rows: file.rows })}
          onClick={() => void save(made, file).catch(() => undefined)}
        >
          <Download size={13} aria-hidden="true" />
          {text(`exports.file.${file.file}`)}
        </Button>
      ))}
    </span>
  );
}

function useColumns(): readonly Column<Export>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'created', header: text('exports.created'), wideOnly: true, cell: (row) => format.time(row.createdTime) },
    { id: 'what', header: text('exports.what'), cell: (row) => <What made={row} /> },
    { id: 'state', header: text('exports.state'), cell: (row) => <State made={row} /> },
    { id: 'files', header: text('exports.files'), align: 'end', cell: (row) => <Files made={row} /> },
  ];
}

function ExportTable(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const pollMs = (value: { readonly list: readonly Export[] } | undefined): number | undefined =>
    value?.list.some(isAtWork) === true ? LOOK_MS : undefined;
  const read = useData({ name: 'exports', of: 'account', pollMs });
  return (
    <Table
      label={text('exports.title')}
      columns={columns}
      read={mapped(read, ({ list }) => list)}
      keyOf={(row) => row.exportId}
      empty={text('exports.empty')}
    />
  );
}

export function ExportPage(): ReactElement {
  const text = useText();
  const lead = <Text id="exports.lead" components={{ 0: <a href="/docs#at-files-of-exports" className="text-link" /> }} />;
  const actions = (
    <Button kind="primary" onClick={() => void create()}>
      {text('exports.create')}
    </Button>
  );
  return (
    <Page title={text('exports.title')} lead={lead} actions={actions}>
      <SignedInOnly invitation="account.signIn">
        <Section title={text('exports.made', { days: EXPORT_KEPT_DAYS })}>
          <ExportTable />
        </Section>
      </SignedInOnly>
    </Page>
  );
}
