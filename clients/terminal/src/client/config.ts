/** What this installation is: its chain, its terms, what it offers. Asked once. */
import type { ClientConfig } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from './client.ts';
import { queryClient } from './query-client.ts';

const configQuery = {
  queryKey: ['config'],
  queryFn: () => http.load('config', { ignoreToken: true }),
  staleTime: Number.POSITIVE_INFINITY,
  // Nothing works without it: it is asked for until it is there.
  retry: true,
} as const;

export const loadConfig = (): Promise<ClientConfig> => queryClient.ensureQueryData(configQuery);

export function useConfig(): ClientConfig | undefined {
  return useQuery(configQuery).data;
}
