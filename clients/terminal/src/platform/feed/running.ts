/** Whether this page has a feed: kept apart from it, so that what only looks for one does not load it. */
import type { Feed } from './feed.ts';
import { Store } from './store.ts';

export const running = new Store<Feed | undefined>(undefined);
