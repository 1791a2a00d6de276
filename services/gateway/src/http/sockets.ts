/**
 * Room for sockets: a number of one network, and one of everybody. When there is none for a newcomer, the oldest socket without a complete
 * request is cut, then the oldest that has its answer: a socket that sends slowly, or that nobody uses, keeps no other out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../limits/network.ts';

interface Held {
  readonly socket: Socket;
  readonly network: string;
  /** The latest request, of which the headers have arrived. */
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  /** A stream has room of its own: see `connections.ts`. */
  isStream: boolean;
}

export interface SocketLimits {
  /** Undefined behind proxies: their sockets are all of one network. */
  readonly ofNetwork: number | undefined;
  readonly ofAll: number;
}

export function limitSockets(server: Server, limits: SocketLimits): void {
  const all = new Map<Socket, Held>();
  const byNetwork = new Map<string, Set<Held>>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const held: Held = { socket, network, exchange: undefined, isStream: false };
    const neighbours = byNetwork.get(network) ?? new Set();
    const isFull = neighbours.size >= (limits.ofNetwork ?? Infinity);
    if ((isFull && !cutOne(neighbours)) || (all.size >= limits.ofAll && !cutOne(all.values()))) {
      socket.destroy();
      return;
    }
    all.set(socket, held);
    byNetwork.set(network, neighbours.add(held));
    socket.once('close', () => release(held));
  });
  server.on('request', (request, response) => {
    const held = all.get(request.socket);
    if (held !== undefined) held.exchange = { request, response };
  });
  server.on('upgrade', (request: IncomingMessage) => {
    const held = all.get(request.socket);
    if (held !== undefined) held.isStream = true;
  });

  /** A cut socket is closed later than it is counted out: the newcomer takes its place at once. */
  function cutOne(candidates: Iterable<Held>): boolean {
    const held = leastNeeded(candidates);
    if (held === undefined) return false;
    release(held);
    held.socket.destroy();
    return true;
  }

  function release(held: Held): void {
    all.delete(held.socket);
    const neighbours = byNetwork.get(held.network);
    neighbours?.delete(held);
    if (neighbours?.size === 0) byNetwork.delete(held.network);
  }
}

/** The oldest without a complete request, else the oldest that has its answer; undefined when all are at work. */
function leastNeeded(candidates: Iterable<Held>): Held | undefined {
  let answered: Held | undefined;
  for (const held of candidates) {
    if (held.isStream) continue;
    if (held.exchange?.request.complete !== true) return held;
    if (held.exchange.response.writableEnded) answered ??= held;
  }
  return answered;
}
