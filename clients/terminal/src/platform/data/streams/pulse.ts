/** The exchange's heartbeat as this page feels it: how long an answer takes, and where the chain stands. */
import type { ChainBlock } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { http } from '../../client/client.ts';
import { useReach } from '../../client/exchange-reach.ts';
import { isAway } from '../../client/reach.ts';
import { useRunningRoundTrip } from './use-running.ts';

/** Where no stream answers, calls show whether the exchange can be reached. */
const PULSE_MS = 5_000;
/** It shows as well, where a stream answers, that calls are answered too. */
const BLOCK_MS = 15_000;

export interface Pulse {
  readonly state: 'starting' | 'live' | 'offline';
  readonly latencyMs: number | undefined;
  readonly block: ChainBlock | undefined;
}

const shown = (millis: number): number => Math.max(1, Math.round(millis));

async function measure(): Promise<number> {
  const start = performance.now();
  await http.load('time', { ignoreToken: true });
  return performance.now() - start;
}

export function usePulse(): Pulse {
  const roundTrip = useRunningRoundTrip();
  const isCalling = roundTrip === undefined;
  // Asked at once when the stream ceases to answer.
  const call = useQuery({
    queryKey: ['pulse'],
    queryFn: measure,
    enabled: isCalling,
    refetchInterval: PULSE_MS,
    retry: false,
    staleTime: 0,
  });
  const block = useQuery({
    queryKey: ['latestBlock'],
    queryFn: () => http.load('chainBlock', { ignoreToken: true }),
    refetchInterval: BLOCK_MS,
    retry: false,
  });
  const latency = roundTrip ?? call.data;
  const reach = useReach();
  const state = isAway(reach) || (isCalling && call.isError) ? 'offline' : latency === undefined ? 'starting' : 'live';
  return { state, latencyMs: latency === undefined ? undefined : shown(latency), block: block.data };
}
