/** The one `Reach` of this page. */
import { createClient } from '@orrery/sdk';
import { useSyncExternalStore } from 'react';
import { endOf } from './call-end.ts';
import { eventLog } from './event-log.ts';
import { Reach } from './reach.ts';
import type { ReachState } from './reach.ts';
import { routedFetch } from './routed-fetch.ts';

/** An answer that takes longer is as good as none, for a question this small. */
const PROBE_TIMEOUT_MS = 5_000;

const prober = createClient({ baseUrl: location.origin, fetch: routedFetch, timeoutMs: PROBE_TIMEOUT_MS });

export const reach = new Reach({
  now: Date.now,
  sleep: (millis) => new Promise((resolve) => setTimeout(resolve, millis)),
  probe: () =>
    prober.time().then(
      () => 'answered' as const,
      (error: unknown) => endOf(error) ?? 'silence',
    ),
});

reach.subscribe(() => eventLog.add('reach', reach.get().phase));

export const useReach = (): ReachState => useSyncExternalStore(reach.subscribe, reach.get);
