/** The exchange's heartbeat as this page feels it: how long a call takes, and where the chain stands. */
import type { ChainBlock } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from './client.ts';
import { useReach } from './exchange-reach.ts';
import { isAway } from './reach.ts';

const PULSE_MS = 5_000;

export interface Pulse {
  readonly state: 'starting' | 'live' | 'offline';
  readonly latencyMs: number | undefined;
  readonly block: ChainBlock | undefined;
}

async function measure(): Promise<number> {
  const start = performance.now();
  await http.load('time', { ignoreToken: true });
  return Math.max(1, Math.round(performance.now() - start));
}

export function usePulse(): Pulse {
  const latency = useQuery({ queryKey: ['pulse'], queryFn: measure, refetchInterval: PULSE_MS, retry: false, staleTime: 0 });
  const block = useQuery({
    queryKey: ['latestBlock'],
    queryFn: () => http.load('chainBlock', { ignoreToken: true }),
    refetchInterval: PULSE_MS,
    retry: false,
  });
  const reach = useReach();
  const state = isAway(reach) || latency.isError ? 'offline' : latency.data === undefined ? 'starting' : 'live';
  return { state, latencyMs: latency.data, block: block.data };
}
