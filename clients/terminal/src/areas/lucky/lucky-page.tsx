import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { RewardsNav } from '../rewards/rewards-nav.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { LuckyPanel } from './lucky-panel.tsx';
import { NextWinners } from './next-winners.tsx';

export function LuckyPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('lucky.title')} lead={text('lucky.lead')} actions={<NextWinners />}>
      <RewardsNav />
      <LuckyPanel />
    </Page>
  );
}
