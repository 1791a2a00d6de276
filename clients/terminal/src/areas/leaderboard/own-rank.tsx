import type { ReactElement } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { boardValue } from './board-value.ts';
import { gapAbove } from './gap.ts';
import { useOwnRanks, useRankingAround } from './use-campaigns.ts';
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

/** What is missing to the rank above, in words; `undefined` while it is not known. */
function useGap(
  { campaignId, board }: OwnRankProps,
  own: OwnRank | undefined,
): { readonly label: string; readonly value: string } | undefined {
  const text = useText();
  const format = useFormat();
  const rank = own?.rank ?? undefined;
  const { value: ranking } = useRankingAround({ campaignId, board, rank: rank !== undefined && rank > 1 ? rank - 1 : undefined });
  if (own === undefined || rank === undefined || rank === 1) return undefined;
  const gap = ranking && gapAbove({ rank, value: own.value }, ranking.list);
  const label = text('board.gap', { rank: format.number(String(rank - 1)) });
  return { label, value: gap === undefined ? UNKNOWN : format.number(gap.missing, { decimals: 2 }) };
}

/** Why not all of one's profit counts, where too few others were traded with. */
function WhyNotAll({ profit }: Pick<OwnRank, 'profit'>): ReactElement | null {
  const text = useText();
  if (profit === null || profit.counted === 'ALL') return null;
  const { counted, needed, counterparties } = profit;
  return <p className="mt-3 text-sm text-fg2">{text(`board.counted.${counted}`, { needed, counterparties })}</p>;
}

/** Where one stands on a board, and how far the rank above is. */
export function OwnRankStrip({ campaignId, board }: OwnRankProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const own: OwnRank | undefined = useOwnRanks(campaignId)?.find((candidate) => candidate.board === board);
  const gap = useGap({ campaignId, board }, own);
  const rank = own && (own.rank === null ? text('board.unranked') : format.number(String(own.rank)));
  return (
    <div className="border-b border-line bg-raised px-4 py-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 tablet:grid-cols-4">
        <Figure label={text('board.yourRank')} value={rank} />
        <Figure label={text(valueLabels[board])} value={own && boardValue(format, { board, value: own.value })} />
        <Figure label={text('board.yourPrize')} value={own && format.number(String(own.points))} />
        {gap !== undefined && <Figure label={gap.label} value={gap.value} />}
      </dl>
      <WhyNotAll profit={own?.profit ?? null} />
    </div>
  );
}
