/** Whether what the stream has brought still holds. */
import type { FeedPhase, TopicState } from '../../feed/messages.ts';
import { Store } from '../../feed/store.ts';

/** `stale`: the stream is away, and what is known of it is old. `failed`: it could not even be started. */
export type Health = 'fresh' | 'stale' | 'failed';

/** A stream that is back within this time was not away. */
export const STALE_AFTER_MS = 3_000;

/** What has not come at all within this time says so; it is still asked for. */
export const FAILED_AFTER_MS = 10_000;

/** What a stream is judged by. */
export interface Judged {
  readonly phase: FeedPhase;
  readonly heardAt: number;
  /** Of an account's stream: whether it is awaited. */
  readonly state?: TopicState;
}

/** Follows the state of the feed and changes when the health does, so that nobody renders for each sign of life. */
export function healthOf(status: Pick<Store<Judged>, 'get' | 'subscribe'>): Pick<Store<Health>, 'get' | 'subscribe'> {
  const health = new Store<Health>('fresh');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awaitedSince: number | undefined;
  const look = (): void => {
    clearTimeout(timer);
    const { phase, heardAt, state } = status.get();
    if (phase === 'failed') return health.set('failed');
    awaitedSince = state === 'waiting' && heardAt === 0 ? (awaitedSince ?? Date.now()) : undefined;
    if (awaitedSince !== undefined) {
      const patience = awaitedSince + FAILED_AFTER_MS - Date.now();
      if (patience <= 0) return health.set('failed');
      timer = setTimeout(look, patience);
    }
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
