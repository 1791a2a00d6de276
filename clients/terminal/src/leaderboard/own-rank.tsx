import type { ReactElement } from 'react';
import type { MessageId } from '../i18n/catalog.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { boardValue } from './board-value.ts';
import { useOwnRanks } from './use-campaigns.ts';
import type { BoardName, OwnRank } from './use-campaigns.ts';

const valueLabels: Readonly<Record<BoardName, MessageId>> = { VOLUME: 'board.yourVolume', PNL: 'board.yourPnl' };

function Figure({ label, value }: { readonly label: string; readonly value: string | undefined }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="truncate text-lg font-medium">{value ?? <Skeleton />}</dd>
    </div>
  );
}

export interface OwnRankProps {
  readonly campaignId: string;
  readonly board: BoardName;
}

/** Where one stands on a board. */
export function OwnRankStrip({ campaignId, board }: OwnRankProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const own: OwnRank | undefined = useOwnRanks(campaignId)?.find((candidate) => candidate.board === board);
  const rank = own && (own.rank === null ? text('board.unranked') : format.number(String(own.rank)));
  return (
    <dl className="grid grid-cols-3 gap-4 border-b border-line bg-raised px-4 py-3">
      <Figure label={text('board.yourRank')} value={rank} />
      <Figure label={text(valueLabels[board])} value={own && boardValue(format, { board, value: own.value })} />
      <Figure label={text('board.yourPrize')} value={own && format.number(String(own.points))} />
    </dl>
  );
}
