import type { LeaderboardCampaign } from '@orrery/api';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { formatCountdown } from '../../kit/format/time.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';

interface Phase {
  readonly label: MessageId;
  readonly tone: StateTone;
  /** What comes next, and when. */
  readonly next?: { readonly says: MessageId; readonly at: (campaign: LeaderboardCampaign) => number };
}

const phases: Readonly<Record<LeaderboardCampaign['state'], Phase>> = {
  UPCOMING: { label: 'board.upcoming', tone: 'neutral', next: { says: 'board.startsIn', at: ({ startsAt }) => startsAt } },
  RUNNING: { label: 'board.running', tone: 'done', next: { says: 'board.endsIn', at: ({ endsAt }) => endsAt } },
  REVIEW: { label: 'board.review', tone: 'waiting', next: { says: 'board.paysIn', at: ({ paysAt }) => paysAt } },
  PAID: { label: 'board.paid', tone: 'neutral' },
};

/** Counts down to what comes next. */
export function Countdown({ campaign }: { readonly campaign: LeaderboardCampaign }): ReactElement | null {
  const text = useText();
  const now = useServerNow(1_000);
  const { next } = phases[campaign.state];
  return next === undefined ? null : <>{text(next.says, { span: formatCountdown(next.at(campaign) - now) })}</>;
}

/** A campaign's name, where it stands and how long that lasts. */
export function CampaignHead({ campaign }: { readonly campaign: LeaderboardCampaign }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { label, tone } = phases[campaign.state];
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-8 gap-y-3 rounded-md border border-line bg-panel p-4">
      <div className="min-w-0">
        <h2 className="text-lg font-semibold">{localised(campaign.name)}</h2>
        <p className="mt-1 text-md text-fg2">
          {text('board.period', { from: format.time(campaign.startsAt), to: format.time(campaign.endsAt) })}
        </p>
        {campaign.state === 'REVIEW' && <p className="mt-1 text-sm text-fg3">{text('board.review.hint')}</p>}
      </div>
      <div className="text-end max-tablet:text-start">
        <p className="text-sm">
          <StateTag tone={tone}>{text(label)}</StateTag>
        </p>
        <p className="mt-0.5 text-xl font-semibold tracking-[-0.01em]">
          <Countdown campaign={campaign} />
        </p>
      </div>
    </div>
  );
}
