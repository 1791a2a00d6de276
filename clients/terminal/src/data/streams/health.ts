/** Whether what the stream has brought still holds. */
import type { FeedPhase } from '../../feed/messages.ts';
import { Store } from '../../feed/store.ts';

/** `stale`: the stream is away, and what is known of it is old. `failed`: it could not even be started. */
export type Health = 'fresh' | 'stale' | 'failed';

/** A stream that is back within this time was not away. */
export const STALE_AFTER_MS = 3_000;

/** What a stream is judged by. */
export interface Judged {
  readonly phase: FeedPhase;
  readonly heardAt: number;
}

/** Follows the state of the feed and changes when the health does, so that nobody renders for each sign of life. */
export function healthOf(status: Pick<Store<Judged>, 'get' | 'subscribe'>): Pick<Store<Health>, 'get' | 'subscribe'> {
  const health = new Store<Health>('fresh');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    const { phase, heardAt } = status.get();
    if (phase === 'failed') return health.set('failed');
    // Before anything came there is nothing that could be old.
    if (phase !== 'reconnecting' || heardAt === 0) return health.set('fresh');
    const left = heardAt + STALE_AFTER_MS - Date.now();
    if (left <= 0) return health.set('stale');
    timer = setTimeout(look, left);
  };
  status.subscribe(look);
  look();
  return health;
}
