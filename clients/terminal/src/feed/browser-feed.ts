/** The one feed of this page, started when it is first asked for. */
import feedWorker from './feed.worker.ts?worker&url';
import type { FromWorker, ToWorker } from './messages.ts';
import { Feed } from './feed.ts';
import type { FeedWorker } from './feed.ts';
import { trustedScript } from './trusted-script.ts';

function startWorker(): FeedWorker {
  const worker = new Worker(trustedScript(feedWorker), { type: 'module', name: 'feed' });
  return {
    postMessage: (message: ToWorker) => worker.postMessage(message),
    listen: (listener) => worker.addEventListener('message', (event: MessageEvent<FromWorker>) => listener(event.data)),
  };
}

function startFeed(): Feed {
  const feed = new Feed(startWorker());
  feed.start(globalThis.location.origin);
  const tellVisibility = (): void => feed.setVisibility(document.visibilityState);
  document.addEventListener('visibilitychange', tellVisibility);
  tellVisibility();
  return feed;
}

let running: Feed | undefined;

export function browserFeed(): Feed {
  return (running ??= startFeed());
}
