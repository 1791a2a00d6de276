/** The campaigns, and where one stands in them. */
import type { LeaderboardCampaign, Ranked, CallData } from '@orrery/api';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useSession } from '../../platform/session/session.ts';
import { pageOfRank } from './gap.ts';

export type BoardName = LeaderboardCampaign['boards'][number];
export type OwnRank = CallData['ownLeaderboardRank'][number];

/** Ranks move with every trade; a board is read as often as one would look at it. */
export const BOARD_POLL_MS = 20_000;
const CAMPAIGN_POLL_MS = 60_000;

export const useCampaigns = (): Loaded<readonly LeaderboardCampaign[]> =>
  useData({ name: 'leaderboardCampaigns', of: 'everybody', pollMs: CAMPAIGN_POLL_MS });

/** `undefined` while loading, and to visitors. */
export function useOwnRanks(campaignId: string): readonly OwnRank[] | undefined {
  const address = useOwnAddress();
  return useData({
    name: 'ownLeaderboardRank',
    input: { body: { walletAddress: address ?? '', campaignId } },
    of: 'account',
    when: address !== undefined,
    pollMs: BOARD_POLL_MS,
  }).value;
}

export const useOwnAddress = (): string | undefined => useSession((state) => (state.signedIn === undefined ? undefined : state.address));

export interface RankPlace {
  readonly campaignId: string;
  readonly board: BoardName;
  /** From 1; without it nothing is asked. */
  readonly rank: number | undefined;
}

/** The ten ranks among which a rank stands. */
export function useRankingAround({ campaignId, board, rank }: RankPlace): Loaded<{ readonly list: readonly Ranked[] }> {
  const page = pageOfRank(rank ?? 1);
  return useData({
    name: 'leaderboardRanking',
    input: { query: { campaignId, board, ...page } },
    of: 'everybody',
    when: rank !== undefined,
    pollMs: BOARD_POLL_MS,
  });
}
