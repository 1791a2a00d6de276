/** What a stream brings that may run or not: for every page, also for those that never needed it. It is not started for this. */
import { useSyncExternalStore } from 'react';
import type { AccountView } from '../../feed/account-store.ts';
import type { FeedStatus } from '../../feed/messages.ts';
import { running } from '../../feed/running.ts';
import type { Health } from './health.ts';
import { healthIn } from './healths.ts';

export { isOver } from '../../feed/is-over.ts';

const silent = (): (() => void) => () => undefined;
const nothing = (): undefined => undefined;

/** `undefined` on pages that never needed the stream. */
export function useRunningFeedStatus(): FeedStatus | undefined {
  const feed = useSyncExternalStore(running.subscribe, running.get);
  return useSyncExternalStore<FeedStatus | undefined>(feed?.status.subscribe ?? silent, feed?.status.get ?? nothing);
}

/** How long the exchange takes to answer over the stream, milliseconds; `undefined` where there is none, or while it does not answer. */
export function useRunningRoundTrip(): number | undefined {
  const feed = useSyncExternalStore(running.subscribe, running.get);
  return useSyncExternalStore<number | undefined>(feed?.roundTrip.subscribe ?? silent, feed?.roundTrip.get ?? nothing);
}

/** `undefined` on pages that never needed the stream. */
export function useRunningAccount(): AccountView | undefined {
  const feed = useSyncExternalStore(running.subscribe, running.get);
  return useSyncExternalStore<AccountView | undefined>(feed?.account.subscribe ?? silent, feed?.account.get ?? nothing);
}

/** Whether what the account's stream has brought still holds; `undefined` on pages that never needed it. */
export function useRunningAccountHealth(): Health | undefined {
  const feed = useSyncExternalStore(running.subscribe, running.get);
  const health = feed && healthIn(feed, 'spot');
  return useSyncExternalStore<Health | undefined>(health?.subscribe ?? silent, health?.get ?? nothing);
}
