import type { LeaderboardCampaign } from '@orrery/api';

const URGENCY: readonly LeaderboardCampaign['state'][] = ['RUNNING', 'REVIEW', 'UPCOMING', 'PAID'];

/** The campaign most worth looking at: what runs before what is over, and the newest of its kind. */
export function foremost(campaigns: readonly LeaderboardCampaign[]): LeaderboardCampaign | undefined {
  return campaigns.toSorted(
    (left, right) => URGENCY.indexOf(left.state) - URGENCY.indexOf(right.state) || right.startsAt - left.startsAt,
  )[0];
}
