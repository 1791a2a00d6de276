/** The campaigns, and where one stands in them. */
import type { LeaderboardCampaign, Ranked, contract, DataOf } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { useSession } from '../session/session.ts';
import { pageOfRank } from './gap.ts';

export type BoardName = LeaderboardCampaign['boards'][number];
export type OwnRank = DataOf<(typeof contract)['ownLeaderboardRank']>[number];

/** Ranks move with every trade; a board is read as often as one would look at it. */
export const BOARD_POLL_MS = 10_000;
const CAMPAIGN_POLL_MS = 30_000;

export interface Campaigns {
  /** `undefined` while loading. */
  readonly campaigns: readonly LeaderboardCampaign[] | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

export function useCampaigns(): Campaigns {
  const { data, isError, refetch } = useQuery({
    queryKey: ['campaigns'],
    queryFn: () => http.load('leaderboardCampaigns', { ignoreToken: true }),
    refetchInterval: CAMPAIGN_POLL_MS,
  });
  return { campaigns: data, failed: isError, retry: () => void refetch() };
}

/** `undefined` while loading, and to visitors. */
export function useOwnRanks(campaignId: string): readonly OwnRank[] | undefined {
  const address = useOwnAddress();
  return useQuery({
    queryKey: ['ownRanks', campaignId, address],
    queryFn: () => http.load('ownLeaderboardRank', { body: { walletAddress: address ?? '', campaignId } }),
    enabled: address !== undefined,
    refetchInterval: BOARD_POLL_MS,
  }).data;
}

export const useOwnAddress = (): string | undefined => useSession((state) => (state.signedIn === undefined ? undefined : state.address));

export interface RankPlace {
  readonly campaignId: string;
  readonly board: BoardName;
  /** From 1; without it nothing is asked. */
  readonly rank: number | undefined;
}

/** The ten ranks among which a rank stands; `undefined` while loading. */
export function useRankingAround({ campaignId, board, rank }: RankPlace): readonly Ranked[] | undefined {
  const page = pageOfRank(rank ?? 1);
  return useQuery({
    queryKey: ['rankingAround', campaignId, board, page],
    queryFn: () => http.load('leaderboardRanking', { query: { campaignId, board, ...page }, ignoreToken: true }),
    enabled: rank !== undefined,
    refetchInterval: BOARD_POLL_MS,
  }).data?.list;
}
