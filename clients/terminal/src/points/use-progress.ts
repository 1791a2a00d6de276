/** What an address has done and earned so far. */
import type { contract, DataOf } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { useSession } from '../session/session.ts';

export type Progress = DataOf<(typeof contract)['taskCount']>;

export function useProgress(): Progress | undefined {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  return useQuery({
    queryKey: ['taskCount', address],
    queryFn: () => http.load('taskCount', { body: { walletAddress: address ?? '' } }),
    enabled: address !== undefined,
    refetchInterval: 10_000,
  }).data;
}
