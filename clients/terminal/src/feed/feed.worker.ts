/** The worker's only file of its own: it gives the feed a socket, a clock and a way to the page. */
import type { Deal } from '@orrery/api';
import type { Socket, SocketListeners } from './connection.ts';
import { BEAT_MS, MarketFeed } from './market-feed.ts';
import type { ToWorker } from './messages.ts';

async function latestDeals(symbol: string): Promise<readonly Deal[]> {
  const response = await fetch(`/pro/p/quotation/deal?symbol=${encodeURIComponent(symbol)}&num=60`);
  const answer: { readonly code: number; readonly data: readonly Deal[] } = await response.json();
  return answer.code === 0 ? answer.data : [];
}

function openSocket(url: string, { onOpen, onText, onClose }: SocketListeners): Socket {
  const socket = new WebSocket(url);
  socket.addEventListener('open', onOpen);
  socket.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (typeof event.data === 'string') onText(event.data);
  });
  socket.addEventListener('close', onClose);
  return socket;
}

const feed = new MarketFeed({
  open: openSocket,
  post: (message, transfer = []) => globalThis.postMessage(message, { transfer }),
  now: () => Date.now(),
  latestDeals,
});

globalThis.addEventListener('message', (event: MessageEvent<ToWorker>) => feed.receive(event.data));
setInterval(() => feed.beat(), BEAT_MS);
