import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Teaser } from '../rewards/teaser.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Countdown } from './campaign-head.tsx';
import { foremost } from './foremost.ts';
import { useCampaigns } from './use-campaigns.ts';

export function LeaderboardTeaser(): ReactElement | null {
  const text = useText();
  const campaign = foremost(useCampaigns().value ?? []);
  if (campaign === undefined) return null;
  const action = (
    <LinkButton to="/leaderboard" size="small">
      {text('board.open')}
    </LinkButton>
  );
  return (
    <Teaser title={text('board.title')} action={action}>
      <div>
        <p className="font-medium text-fg">{localised(campaign.name)}</p>
        <p>
          <Countdown campaign={campaign} />
        </p>
      </div>
    </Teaser>
  );
}
