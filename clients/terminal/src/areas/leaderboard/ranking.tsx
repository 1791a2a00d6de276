import type { Ranked } from '@orrery/api';
import type { ReactElement } from 'react';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { AddressLink } from '../explorer/chain-links.tsx';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { ALWAYS_PAGED, PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { boardValue } from './board-value.ts';
import { OwnMark } from './own-mark.tsx';
import type { OwnRankProps } from './own-rank.tsx';
import { BOARD_POLL_MS, useOwnAddress, useOwnRanks } from './use-campaigns.ts';
import type { BoardName } from './use-campaigns.ts';

const valueHeaders: Readonly<Record<BoardName, MessageId>> = { VOLUME: 'board.valueVolume', PNL: 'board.valuePnl' };

function useColumns(board: BoardName): readonly Column<Ranked>[] {
  const text = useText();
  const format = useFormat();
  const own = useOwnAddress();
  const isOwn = (row: Ranked): boolean => own !== undefined && row.address.toLowerCase() === own.toLowerCase();
  return [
    { id: 'rank', header: text('board.rank'), cell: (row) => <span className="font-semibold">{format.number(String(row.rank))}</span> },
    {
      id: 'address',
      header: text('board.address'),
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <AddressLink address={row.address} />
          {isOwn(row) && <OwnMark />}
        </span>
      ),
    },
    { id: 'value', header: text(valueHeaders[board]), align: 'end', cell: (row) => boardValue(format, { board, value: row.value }) },
    { id: 'points', header: text('board.prize'), align: 'end', cell: (row) => format.number(String(row.points)) },
  ];
}

/** One's own row, kept in sight while the page that is shown does not hold it. */
function usePinned({ campaignId, board }: OwnRankProps, shown: readonly Ranked[] | undefined): Ranked | undefined {
  const address = useOwnAddress();
  const own = useOwnRanks(campaignId)?.find((candidate) => candidate.board === board);
  if (address === undefined || own === undefined || own.rank === null || shown === undefined) return undefined;
  const isShown = shown.some((row) => row.address.toLowerCase() === address.toLowerCase());
  return isShown ? undefined : { rank: own.rank, address, value: own.value, points: own.points };
}

/** Who is where on a board, and what that is worth. */
export function Ranking({ campaignId, board }: OwnRankProps): ReactElement {
  const text = useText();
  const columns = useColumns(board);
  const query = usePageQuery<Ranked>({
    key: ['ranking', campaignId, board],
    load: (next) => ask('leaderboardRanking', { query: { campaignId, board, ...next }, ignoreToken: true }),
    pollMs: BOARD_POLL_MS,
    of: 'everybody',
  });
  const pinned = usePinned({ campaignId, board }, query.read.value);
  return (
    <PagedTable
      query={query}
      label={text('board.ranking')}
      columns={columns}
      pinned={pinned}
      keyOf={(row) => row.address}
      empty={text('board.empty')}
      pagedAbove={ALWAYS_PAGED}
      striped
    />
  );
}
