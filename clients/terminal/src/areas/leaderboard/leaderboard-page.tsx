/** Campaigns by volume and by profit: who leads, where one stands, what is to be won and until when. */
import type { LeaderboardCampaign } from '@orrery/api';
import type { ReactElement } from 'react';
import { localised } from '../../kit/format/localised.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { RewardsNav } from '../rewards/rewards-nav.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Page } from '../../kit/ui/page.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { TabPanel, Tabs } from '../../kit/ui/tabs.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { CampaignHead } from './campaign-head.tsx';
import { foremost } from './foremost.ts';
import { OwnRankStrip } from './own-rank.tsx';
import { Podium } from './podium.tsx';
import { Prizes } from './prizes.tsx';
import { Ranking } from './ranking.tsx';
import { Rules } from './rules.tsx';
import { useCampaigns } from './use-campaigns.ts';
import { Withheld } from './withheld.tsx';
import type { BoardName } from './use-campaigns.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const boardLabels: Readonly<Record<BoardName, MessageId>> = { VOLUME: 'board.VOLUME', PNL: 'board.PNL' };

function Boards({ campaign }: { readonly campaign: LeaderboardCampaign }): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  const { boards } = campaign;
  const [active, choose] = useChoiceInUrl({ name: 'board', values: boards, usual: boards[0] ?? 'VOLUME', lists: ['ranking'] });
  return (
    <section aria-label={text('board.ranking')} className="min-w-0 overflow-hidden rounded-md border border-line bg-panel">
      <Tabs
        label={text('board.boards')}
        tabs={campaign.boards.map((id) => ({ id, label: text(boardLabels[id]) }))}
        value={active}
        onChange={choose}
        className="[&>div:first-child]:h-10 [&>div:first-child]:px-4"
      >
        {campaign.boards.map((board) => (
          <TabPanel key={board} id={board}>
            <Podium campaignId={campaign.campaignId} board={board} />
            {isSignedIn ? (
              <OwnRankStrip campaignId={campaign.campaignId} board={board} />
            ) : (
              <p className="border-b border-line bg-raised px-4 py-3 text-sm text-fg2">{text('board.connect')}</p>
            )}
            <Ranking campaignId={campaign.campaignId} board={board} />
          </TabPanel>
        ))}
      </Tabs>
    </section>
  );
}

function Shown({ campaigns }: { readonly campaigns: readonly LeaderboardCampaign[] }): ReactElement {
  const text = useText();
  const ids = campaigns.map(({ campaignId }) => campaignId);
  const [chosen, choose] = useChoiceInUrl({
    name: 'campaign',
    values: ids,
    usual: foremost(campaigns)?.campaignId ?? '',
    lists: ['ranking'],
  });
  const campaign = campaigns.find(({ campaignId }) => campaignId === chosen);
  if (campaign === undefined) {
    return (
      <div className="rounded-md border border-line bg-panel">
        <EmptyState>{text('board.none')}</EmptyState>
      </div>
    );
  }
  const choices = campaigns.map(({ campaignId, name }) => ({ value: campaignId, label: localised(name) }));
  return (
    <>
      {campaigns.length > 1 && (
        <div className="mb-3 flex items-center gap-2 text-sm text-fg2">
          <span aria-hidden="true">{text('board.campaign')}</span>
          <Select label={text('board.campaign')} size="small" value={campaign.campaignId} choices={choices} onChange={choose} />
        </div>
      )}
      <CampaignHead campaign={campaign} />
      <div className="mb-5 empty:hidden">
        <Withheld key={campaign.campaignId} campaignId={campaign.campaignId} />
      </div>
      <div className="grid items-start gap-5 laptop:grid-cols-[minmax(0,1fr)_18rem]">
        <Boards key={campaign.campaignId} campaign={campaign} />
        <div>
          <Prizes prizes={campaign.prizes} />
          <Rules campaign={campaign} />
        </div>
      </div>
    </>
  );
}

function Content(): ReactElement {
  const loading = (
    <div aria-busy="true" className="flex flex-col gap-3 rounded-md border border-line bg-panel p-6">
      <Skeleton className="w-48" />
      <Skeleton className="w-72 max-w-full" />
    </div>
  );
  return (
    <LoadedPanel read={useCampaigns()} loading={loading}>
      {(campaigns) => <Shown campaigns={campaigns} />}
    </LoadedPanel>
  );
}

export function LeaderboardPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('board.title')} lead={text('board.lead')}>
      <RewardsNav />
      <Content />
    </Page>
  );
}
