import type { ReactElement } from 'react';
import { SectionNav } from '../../kit/ui/section-nav.tsx';
import type { Place } from '../../kit/ui/section-nav.tsx';

const places: readonly Place[] = [
  { to: '/points', label: 'points.title' },
  { to: '/leaderboard', label: 'board.title' },
  { to: '/rewards/lucky-block', label: 'lucky.title' },
];

/** The pages of the reward programme, beside each other. */
export function RewardsNav(): ReactElement {
  return <SectionNav label="nav.rewards" places={places} />;
}
