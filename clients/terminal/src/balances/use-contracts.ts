import type { ChainContracts } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';

/** The contracts of this installation. */
export function useContracts(): ChainContracts | undefined {
  return useQuery({
    queryKey: ['contracts'],
    queryFn: () => http.load('contracts', { ignoreToken: true }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
