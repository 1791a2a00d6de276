/** Load over WebSocket: a number of sockets, each with a number of requests in flight, answered under their ids. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Latencies, summary, type LoadResult } from './latency.ts';

export interface WsLoad {
  readonly url: string;
  readonly sockets: number;
  /** How many of this machine's own addresses the sockets come from: a server counts them by address. */
  readonly addresses: number;
  readonly inFlightEach: number;
  readonly requests: number;
  /** Says what must be said first on a new socket. */
  readonly open: (socket: WebSocket, index: number) => Promise<void>;
  readonly next: (id: number) => string;
  /** The id of the request that a message answers, and whether it was accepted; undefined for anything else. */
  readonly read: (text: string) => { id: number; accepted: boolean } | undefined;
}

export async function wsLoad(load: WsLoad): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: load.sockets }, (_, index) => openSocket(load, index)));
  const latencies = new Latencies();
  const progress = { sent: 0, refused: 0 };
  const started = performance.now();
  await Promise.all(sockets.map((socket) => drive(load, socket, progress, latencies)));
  const result = summary({ latencies, seconds: (performance.now() - started) / 1_000, refused: progress.refused });
  for (const socket of sockets) socket.terminate();
  return result;
}

async function openSocket(load: WsLoad, index: number): Promise<WebSocket> {
  const socket = new WebSocket(load.url.replace('http', 'ws'), {
    perMessageDeflate: false,
    localAddress: `127.0.0.${1 + (index % load.addresses)}`,
  });
  await once(socket, 'open');
  await load.open(socket, index);
  return socket;
}

function drive(load: WsLoad, socket: WebSocket, progress: { sent: number; refused: number }, latencies: Latencies): Promise<void> {
  const sentAt = new Map<number, number>();
  const send = (): void => {
    if (progress.sent >= load.requests) return;
    const id = progress.sent;
    progress.sent += 1;
    sentAt.set(id, performance.now());
    socket.send(load.next(id));
  };
  return new Promise((resolve, reject) => {
    socket.on('close', (code, reason) => reject(new Error(`the server closed the socket: ${code} ${reason.toString()}`)));
    socket.on('message', (data: Buffer) => {
      const answer = load.read(data.toString());
      const started = answer === undefined ? undefined : sentAt.get(answer.id);
      if (answer === undefined || started === undefined) return;
      sentAt.delete(answer.id);
      latencies.add(performance.now() - started);
      if (!answer.accepted) progress.refused += 1;
      send();
      if (sentAt.size > 0) return;
      socket.removeAllListeners('close');
      resolve();
    });
    for (let count = 0; count < load.inFlightEach; count += 1) send();
    if (sentAt.size === 0) resolve();
  });
}
