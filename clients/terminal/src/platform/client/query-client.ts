/**
 * The cache of REST answers. Live market data never enters it: that has its own stores.
 * While the exchange cannot be reached, its questions wait, and are asked again when it can: no page has to heal by itself.
 */
import { onlineManager, QueryClient } from '@tanstack/react-query';
import type { Query } from '@tanstack/react-query';
import { reach } from './exchange-reach.ts';
import { isPassing } from './failure.ts';
import { isAway } from './reach.ts';

const AGAIN_MS = 5_000;
const AGAIN_DOUBLINGS = 4;

/** What was answered with a fault is asked again by itself, later each time, 80 s apart at most. */
function againAfter({ state }: Query): number | false {
  if (state.status !== 'error' || !isPassing(state.error)) return false;
  return AGAIN_MS * 2 ** Math.min(Math.max(state.errorUpdateCount - 1, 0), AGAIN_DOUBLINGS);
}

// Not the browser's own idea of being on-line: an exchange on this very computer answers without a network.
onlineManager.setEventListener((setOnline) => {
  const follow = (): void => setOnline(!isAway(reach.get()));
  follow();
  return reach.subscribe(follow);
});

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: 1, refetchOnWindowFocus: true, refetchInterval: againAfter },
    // What a person does is done now or refused: never kept for later.
    mutations: { retry: false, networkMode: 'always' },
  },
});
