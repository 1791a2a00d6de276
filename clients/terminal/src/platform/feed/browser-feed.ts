/** The one feed of this page, started when it is first asked for. */
import feedWorker from './feed.worker.ts?worker&url';
import { eventLog } from '../client/event-log.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { Feed } from './feed.ts';
import type { FeedWorker } from './feed.ts';
import { running } from './running.ts';
import { trustedScript } from './trusted-script.ts';

function startWorker(): FeedWorker {
  const worker = new Worker(trustedScript(feedWorker), { type: 'module', name: 'feed' });
  return {
    postMessage: (message: ToWorker) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.addEventListener('message', (event: MessageEvent<FromWorker>) => onMessage(event.data));
      worker.addEventListener('error', onFailure);
    },
    terminate: () => worker.terminate(),
  };
}

function startFeed(): Feed {
  const feed = new Feed(startWorker);
  let logged = '';
  feed.status.subscribe(() => {
    const { phase, resyncs, book, account } = feed.status.get();
    const words = `${phase}, book ${book}, account ${account}, ${resyncs} resyncs`;
    if (words !== logged) eventLog.add('feed', words);
    logged = words;
  });
  feed.start(globalThis.location.origin);
  const postVisibility = (): void => feed.setVisibility(document.visibilityState);
  document.addEventListener('visibilitychange', postVisibility);
  postVisibility();
  return feed;
}

let feed: Feed | undefined;

export function browserFeed(): Feed {
  if (feed !== undefined) return feed;
  const started = startFeed();
  feed = started;
  // Not at once: it is first asked for while React renders, when nobody may be notified.
  queueMicrotask(() => running.set(started));
  return started;
}
