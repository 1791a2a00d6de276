import type { CompletedTask } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { localised } from '../../kit/format/localised.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { ALWAYS_PAGED, PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';

function useColumns(): readonly Column<CompletedTask>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('points.time'), cell: (row) => format.time(row.completedAt * 1000) },
    { id: 'name', header: text('points.name'), cell: (row) => localised(row.taskName) },
    { id: 'points', header: text('points.points'), align: 'end', cell: (row) => format.number(String(row.reward)) },
  ];
}

/** Every award of points, newest first; what was taken back stands there below zero. */
export function ClaimHistory(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const address = useSession((state) => state.address) ?? '';
  const query = usePageQuery<CompletedTask>({
    key: ['completedTasks', address],
    load: (next) => ask('completedTasks', { body: { walletAddress: address, ...next } }),
  });
  const keyOf = (row: CompletedTask): string => `${row.completedAt}:${row.taskName}:${row.reward}`;
  return (
    <Section title={text('points.history')}>
      <PagedTable
        query={query}
        label={text('points.history')}
        columns={columns}
        keyOf={keyOf}
        empty={text('points.empty')}
        pagedAbove={ALWAYS_PAGED}
        striped
      />
    </Section>
  );
}
