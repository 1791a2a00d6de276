/** What operators did, and whether the log is as it was written. */
import type { AuditRow } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Hash } from '../../kit/ui/hash.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { useIsWide } from '../../kit/ui/use-is-wide.ts';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { pageOf, useList } from '../../platform/data/operators.ts';

function Verdict({ brokenAt }: { readonly brokenAt: number | null | undefined }): ReactElement | null {
  const text = useText();
  if (brokenAt === undefined) return null;
  if (brokenAt === null) return <StateTag tone="done">{text('console.audit.verified')}</StateTag>;
  return <StateTag tone="failed">{text('console.audit.broken', { row: brokenAt })}</StateTag>;
}

const Detail = ({ row }: { readonly row: AuditRow }): ReactElement => (
  <code className="block py-1.5 font-mono text-sm break-all whitespace-pre-wrap">{row.detail}</code>
);

function useColumns(): readonly Column<AuditRow>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'seq', header: text('console.number'), cell: (row) => row.seq },
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.at) },
    { id: 'operator', header: text('console.by'), cell: (row) => row.operator },
    { id: 'action', header: text('console.audit.action'), cell: (row) => row.action },
    {
      id: 'detail',
      header: text('console.audit.detail'),
      cell: (row) => <Detail row={row} />,
    },
    { id: 'hash', header: text('console.hash'), wideOnly: true, cell: (row) => <Hash value={row.hash} /> },
  ];
}

function useNarrowColumns(): readonly Column<AuditRow>[] {
  const text = useText();
  const format = useFormat();
  return [
    {
      id: 'row',
      header: text('console.audit.action'),
      cell: (row) => (
        <div className="flex flex-col gap-1 py-2 whitespace-normal">
          <p className="font-medium">
            <span className="me-3 text-fg3">{row.seq}</span>
            {row.action}
          </p>
          <p className="text-fg3">
            {format.time(row.at)} · {row.operator}
          </p>
          <Detail row={row} />
        </div>
      ),
    },
  ];
}

export function AuditArea(): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('audit');
  const list = useList('auditLog', page);
  const [wide, narrow] = [useColumns(), useNarrowColumns()];
  const columns = useIsWide() ? wide : narrow;
  return (
    <Page title={text('console.audit.title')} lead={text('console.audit.lead')}>
      <Section title={text('console.audit.title')} aside={<Verdict brokenAt={list.read.value?.brokenAt} />}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.audit.title')}
          columns={columns}
          keyOf={(row) => String(row.seq)}
          empty={text('console.audit.empty')}
        />
      </Section>
    </Page>
  );
}
