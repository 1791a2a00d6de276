/** The recorded snapshots of the account, and what it traded and paid meanwhile. */
import type { contract, DataOf } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';
import { useSession } from '../session/session.ts';
import type { Snapshot } from './performance.ts';

export const ranges = ['1d', '7d', '30d', '90d'] as const;
export type Range = (typeof ranges)[number];
export type Summary = DataOf<(typeof contract)['portfolioSummary']>;

/** A snapshot is recorded once an hour. */
const POLL_MS = 60_000;

export interface Recorded<Data> {
  /** `undefined` while loading. */
  readonly data: Data | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Recorded at full hours or days, and the account as it is now at the end. */
export function useHistory(range: Range): Recorded<readonly Snapshot[]> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const { data, isError, refetch } = useQuery({
    queryKey: ['portfolioHistory', accountId, range],
    queryFn: async (): Promise<readonly Snapshot[]> => {
      const { points, latest } = await http.load('portfolioHistory', { query: { range } });
      return latest === null || latest.time <= (points.at(-1)?.time ?? 0) ? points : [...points, latest];
    },
    enabled: accountId !== undefined,
    refetchInterval: POLL_MS,
  });
  return { data, failed: isError, retry: () => void refetch() };
}

export function useSummary(range: Range): Summary | undefined {
  const accountId = useSession((state) => state.signedIn?.accountId);
  return useQuery({
    queryKey: ['portfolioSummary', accountId, range],
    queryFn: () => http.load('portfolioSummary', { query: { range } }),
    enabled: accountId !== undefined,
    refetchInterval: POLL_MS,
  }).data;
}
