/** What this installation is: its chain, its terms, what it offers. Asked once. */
import type { ClientConfig } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { stateRates } from '../../kit/settings/currency-rates.ts';
import { http } from './client.ts';
import { queryClient } from './query-client.ts';

async function loadOnce(): Promise<ClientConfig> {
  const config = await http.load('config', { ignoreToken: true });
  stateRates(config.currencyRates);
  return config;
}

const configQuery = {
  queryKey: ['config'],
  queryFn: loadOnce,
  staleTime: Number.POSITIVE_INFINITY,
  // Nothing works without it: it is asked for until it is there.
  retry: true,
} as const;

export const loadConfig = (): Promise<ClientConfig> => queryClient.ensureQueryData(configQuery);

export function useConfig(): ClientConfig | undefined {
  return useQuery(configQuery).data;
}
