/** Who came by the person's invitation. */
import type { Invited } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';

function useColumns(): readonly Column<Invited>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'address', header: text('invite.address'), cell: ({ address }) => <span className="font-mono text-sm">{address}</span> },
    { id: 'time', header: text('invite.since'), wideOnly: true, cell: ({ boundTime }) => format.time(boundTime) },
    {
      id: 'state',
      header: text('invite.state'),
      align: 'end',
      cell: ({ hasTraded }) => (
        <StateTag tone={hasTraded ? 'done' : 'waiting'}>{text(hasTraded ? 'invite.hasTraded' : 'invite.notYet')}</StateTag>
      ),
    },
  ];
}

export function InvitedList(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const query = usePageQuery<Invited>({
    key: ['invited'],
    load: async (page) => {
      const { items, total } = await ask('invitedList', { query: page });
      return { list: items, total };
    },
  });
  return (
    <div className="border-t border-line">
      <PagedTable
        query={query}
        label={text('invite.list')}
        columns={columns}
        keyOf={({ address, boundTime }) => `${address}:${boundTime}`}
        skeletonRows={1}
        empty={text('invite.listEmpty')}
      />
    </div>
  );
}
