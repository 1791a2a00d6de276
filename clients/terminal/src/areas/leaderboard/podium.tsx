/** The first three of a board, the first in the middle. */
import type { Ranked } from '@orrery/api';
import type { ReactElement } from 'react';
import { AddressLink } from '../explorer/chain-links.tsx';
import type { Say } from '../../kit/i18n/text.tsx';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Formats } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { boardValue } from './board-value.ts';
import { PODIUM } from './gap.ts';
import { OwnMark } from './own-mark.tsx';
import type { OwnRankProps } from './own-rank.tsx';
import { useOwnAddress, useRankingAround } from './use-campaigns.ts';
import type { BoardName } from './use-campaigns.ts';

/** Where each of them stands from 760 px on, and how high. */
const steps: Readonly<Record<number, string>> = {
  1: 'tablet:order-2 tablet:pt-3',
  2: 'tablet:order-1 tablet:pt-6',
  3: 'tablet:order-3 tablet:pt-8',
};

const plinths: Readonly<Record<number, string>> = {
  1: 'border-warn text-warn',
  2: 'border-fg2 text-fg2',
  3: 'border-fg3 text-fg3',
};

interface StepProps {
  readonly place: number;
  readonly ranked: Ranked | undefined;
  readonly board: BoardName;
}

interface WinnerProps extends StepProps {
  readonly text: Say;
  readonly format: Formats;
  readonly own: string | undefined;
}

function Winner({ ranked, board, text, format, own }: WinnerProps): ReactElement {
  if (ranked === undefined) return <span className="text-md text-fg3">{text('board.free')}</span>;
  return (
    <span className="min-w-0 grow tablet:flex tablet:flex-col tablet:items-center">
      <span className="flex items-center gap-2">
        <AddressLink address={ranked.address} />
        {ranked.address.toLowerCase() === own?.toLowerCase() && <OwnMark />}
      </span>
      <span className="block text-lg font-semibold">{boardValue(format, { board, value: ranked.value })}</span>
      <span className="block text-sm text-warn">{text('board.points', { points: format.number(String(ranked.points)) })}</span>
    </span>
  );
}

function Step(props: StepProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const own = useOwnAddress();
  const { place } = props;
  return (
    <li
      className={classes(
        'flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-0 tablet:flex-col tablet:justify-end tablet:gap-2 tablet:border-0 tablet:pb-4 tablet:text-center',
        steps[place],
      )}
    >
      <span
        className={classes(
          'flex size-8 shrink-0 items-center justify-center rounded-full border font-semibold',
          plinths[place],
          place === 1 && 'tablet:size-10 tablet:text-lg',
        )}
      >
        {place}
      </span>
      <Winner {...props} text={text} format={format} own={own} />
    </li>
  );
}

export function Podium({ campaignId, board }: OwnRankProps): ReactElement | null {
  const text = useText();
  const { value, phase } = useRankingAround({ campaignId, board, rank: 1 });
  const ranking = value?.list;
  // The table below it says that it could not be read.
  if (phase === 'failed' || ranking?.length === 0) return null;
  if (ranking === undefined) return <Skeleton className="m-4 h-28" />;
  return (
    <ol
      aria-label={text('board.podium')}
      className="border-b border-line tablet:grid tablet:grid-cols-3 tablet:divide-x tablet:divide-line"
    >
      {Array.from({ length: PODIUM }, (_, at) => (
        <Step key={at} place={at + 1} ranked={ranking.find(({ rank }) => rank === at + 1)} board={board} />
      ))}
    </ol>
  );
}
