/** Addresses that pay too many accounts to join them into a cluster. */
import type { CommonFunder } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { pageOf, useList } from '../../platform/data/operators.ts';

function useColumns(): readonly Column<CommonFunder>[] {
  const text = useText();
  return [
    { id: 'address', header: text('console.address'), cell: (row) => <Hash value={row.address} /> },
    { id: 'accounts', header: text('console.clusters.members'), align: 'end', cell: (row) => row.accounts },
  ];
}

export function Funders(): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('funders');
  const list = useList('commonFunders', page);
  return (
    <Section title={text('console.clusters.funders')}>
      <p className="px-4 py-2 text-sm text-fg2">{text('console.clusters.fundersHint')}</p>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.clusters.funders')}
        columns={useColumns()}
        keyOf={(row) => row.address}
        empty={text('console.clusters.noFunders')}
      />
    </Section>
  );
}
