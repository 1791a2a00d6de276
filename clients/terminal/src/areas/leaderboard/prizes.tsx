import type { LeaderboardCampaign } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { known } from '../../kit/ui/loaded.ts';

type Prize = LeaderboardCampaign['prizes'][number];

function useColumns(): readonly Column<Prize>[] {
  const text = useText();
  const format = useFormat();
  const rank = (value: number): string => format.number(String(value));
  return [
    {
      id: 'ranks',
      header: text('board.ranks'),
      cell: ({ fromRank, toRank }) =>
        fromRank === toRank ? rank(fromRank) : text('board.rankRange', { from: rank(fromRank), to: rank(toRank) }),
    },
    {
      id: 'points',
      header: text('board.prize'),
      align: 'end',
      cell: ({ points }) => <span className="font-semibold text-warn">{format.number(String(points))}</span>,
    },
  ];
}

/** What each rank of each board is paid. */
export function Prizes({ prizes }: { readonly prizes: readonly Prize[] }): ReactElement {
  const text = useText();
  const columns = useColumns();
  return (
    <Section title={text('board.prizes')}>
      <Table
        label={text('board.prizes')}
        columns={columns}
        read={known(prizes)}
        keyOf={({ fromRank }) => String(fromRank)}
        empty={text('board.none')}
      />
    </Section>
  );
}
