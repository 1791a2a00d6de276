/** The campaigns, and where one stands in them. */
import type { LeaderboardCampaign, contract, DataOf } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { useSession } from '../session/session.ts';

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
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  return useQuery({
    queryKey: ['ownRanks', campaignId, address],
    queryFn: () => http.load('ownLeaderboardRank', { body: { walletAddress: address ?? '', campaignId } }),
    enabled: address !== undefined,
    refetchInterval: BOARD_POLL_MS,
  }).data;
}
