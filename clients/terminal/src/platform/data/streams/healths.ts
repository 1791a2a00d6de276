/** The health of each stream that the page looks at: of the market in view, and of the account, spot and contracts by themselves. */
import type { Feed } from '../../feed/feed.ts';
import type { StreamKind } from '../../feed/messages.ts';
import type { Store } from '../../feed/store.ts';
import { healthOf } from './health.ts';
import type { Health } from './health.ts';

type HealthStore = Pick<Store<Health>, 'get' | 'subscribe'>;
type Of = 'market' | StreamKind;

const healths = new WeakMap<Feed, Map<Of, HealthStore>>();

export function healthIn(feed: Feed, of: Of): HealthStore {
  const known = healths.get(feed) ?? new Map<Of, HealthStore>();
  healths.set(feed, known);
  const health =
    known.get(of) ?? healthOf(of === 'market' ? feed.status : { get: () => feed.own.get()[of], subscribe: feed.own.subscribe });
  known.set(of, health);
  return health;
}
