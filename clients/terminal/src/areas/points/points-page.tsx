import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { InviteBox } from '../invite/invite-box.tsx';
import { LeaderboardTeaser } from '../leaderboard/leaderboard-teaser.tsx';
import { LuckyTeaser } from '../lucky/lucky-teaser.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Page } from '../../kit/ui/page.tsx';
import { ClaimHistory } from './claim-history.tsx';
import { PointsTotal } from './points-total.tsx';

import { Posters } from './posters.tsx';
import { RewardsNav } from '../rewards/rewards-nav.tsx';
import { TaskList } from './task-list.tsx';

/** A visitor sees what can be earned, and the way in. */
export function PointsPage(): ReactElement {
  const text = useText();
  const isSignedIn = useSession((state) => state.signedIn !== undefined);
  return (
    <Page title={text('points.title')} lead={text('points.lead')}>
      <RewardsNav />
      <Posters />
      <div className="grid items-start gap-x-5 desktop:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="min-w-0">
          <div className={isSignedIn ? undefined : 'mb-5'}>
            <SignedInOnly invitation="points.signIn">
              <PointsTotal />
            </SignedInOnly>
          </div>
          <TaskList />
          {isSignedIn && <ClaimHistory />}
        </div>
        <aside
          className="min-w-0 tablet:max-desktop:grid tablet:max-desktop:grid-cols-2 tablet:max-desktop:items-start tablet:max-desktop:gap-x-5"
          aria-label={text('points.more')}
        >
          {isSignedIn && <InviteBox />}
          <LeaderboardTeaser />
          <LuckyTeaser />
        </aside>
      </div>
    </Page>
  );
}
