import type { LuckyBlockRules } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../client/client.ts';

/** When winners are announced next changes once a day. */
const POLL_MS = 60_000;

/** `undefined` while loading. */
export function useLuckyRules(): LuckyBlockRules | undefined {
  return useQuery({
    queryKey: ['luckyBlockRules'],
    queryFn: () => http.load('luckyBlockRules', { ignoreToken: true }),
    refetchInterval: POLL_MS,
  }).data;
}
