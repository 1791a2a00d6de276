/** What somebody should look at: rows of the audit log that the exchange itself wrote. */
import type { AuditRow } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { pageOf, useList } from '../../platform/data/operators.ts';

function useColumns(): readonly Column<AuditRow>[] {
  const text = useText();
  const format = useFormat();
  const what = ({ detail }: AuditRow): string => {
    const { alarm, operator, quota } = JSON.parse(detail) as { alarm: string; operator: string; quota: number };
    return alarm === 'UNMASK_QUOTA' ? text('console.alarms.UNMASK_QUOTA', { operator, quota }) : alarm;
  };
  return [
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.at) },
    {
      id: 'what',
      header: text('console.alarms.what'),
      cell: (row) => (
        <div className="whitespace-normal">
          <StateTag tone="failed">{what(row)}</StateTag>
        </div>
      ),
    },
    { id: 'seq', header: text('console.audit.title'), align: 'end', wideOnly: true, cell: (row) => row.seq },
  ];
}

export function Alarms(): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('alarms');
  const list = useList('alarms', page);
  return (
    <Section title={text('console.alarms.title')}>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.alarms.title')}
        columns={useColumns()}
        keyOf={(row) => String(row.seq)}
        skeletonRows={1}
        empty={text('console.alarms.none')}
      />
    </Section>
  );
}
