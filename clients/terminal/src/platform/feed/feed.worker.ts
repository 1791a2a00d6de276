/** The worker's only file of its own: it gives the feed a stream, a clock and a way to the page. */
import { createClient, Stream } from '@orrery/sdk';
import { ChaosSwitch } from './chaos.ts';
import { Feeds } from './feeds.ts';
import { BEAT_MS } from './market-feed.ts';
import type { ToWorker } from './messages.ts';
import { wireOf } from './perpetual.ts';

const client = createClient({ baseUrl: globalThis.location.origin });

const chaos = new ChaosSwitch();

const feed = new Feeds({
  openStream: (options) => new Stream({ ...options, openSocket: chaos.open }),
  loadContracts: () => import('./contract-part.ts'),
  openSocket: chaos.open,
  post: (message, transfer = []) => globalThis.postMessage(message, { transfer }),
  now: () => Date.now(),
  latestDeals: (symbol) => client.deals({ symbol, num: 60 }),
  latestContractDeals: (symbol) => client.futuresDeals({ symbol: wireOf(symbol), num: 60 }),
});

globalThis.addEventListener('message', (event: MessageEvent<ToWorker>) => {
  if (event.data.type === 'chaos') chaos.apply(event.data.chaos);
  else feed.receive(event.data);
});
setInterval(() => feed.beat(), BEAT_MS);
