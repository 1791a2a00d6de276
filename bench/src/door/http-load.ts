/**
 * Load over HTTP/1.1 on raw sockets, one request in flight on each: so the client costs as little as it can, and the same for every server.
 */
import { connect, type Socket } from 'node:net';
import { Latencies, summary, type LoadResult } from './latency.ts';

export interface HttpRequest {
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}

export interface HttpLoad {
  readonly url: string;
  readonly connections: number;
  /** How many of this machine's own addresses the connections come from: a server counts sockets by address. */
  readonly addresses: number;
  readonly requests: number;
  /** Made when it is sent: signatures carry the time. */
  readonly next: (index: number) => HttpRequest;
  readonly accepted: (body: string) => boolean;
}

export async function httpLoad(load: HttpLoad): Promise<LoadResult> {
  const latencies = new Latencies();
  const progress = { sent: 0, refused: 0 };
  const started = performance.now();
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      drive(load, { progress, latencies, from: `127.0.0.${1 + (index % load.addresses)}` }),
    ),
  );
  return summary({ latencies, seconds: (performance.now() - started) / 1_000, refused: progress.refused });
}

interface Driver {
  readonly progress: { sent: number; refused: number };
  readonly latencies: Latencies;
  readonly from: string;
}

async function drive(load: HttpLoad, driver: Driver): Promise<void> {
  while (driver.progress.sent < load.requests) await onOneSocket(load, driver);
}

/** Sends until the work is done or the server wants a new socket. */
function onOneSocket(load: HttpLoad, { progress, latencies, from }: Driver): Promise<void> {
  const { hostname, port } = new URL(load.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true });
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let received = '';
    const send = (): void => {
      if (progress.sent >= load.requests) {
        socket.end();
        resolve();
        return;
      }
      const request = load.next(progress.sent);
      progress.sent += 1;
      sentAt = performance.now();
      write(socket, request, `${hostname}:${port}`);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    // The server counts sockets by address: one that came while an old one was still closing is shut, and tried again.
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const answer = wholeAnswer(received);
      if (answer === undefined) return;
      received = '';
      latencies.add(performance.now() - sentAt);
      if (!load.accepted(answer.body)) progress.refused += 1;
      if (!answer.closes) send();
      else {
        socket.end();
        resolve();
      }
    });
  });
}

function write(socket: Socket, { path, headers, body }: HttpRequest, host: string): void {
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`,
  );
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const CLOSES = /\r\nconnection: close/i;

function wholeAnswer(text: string): { body: string; closes: boolean } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(LENGTH.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  return { body: text.slice(end + 4), closes: CLOSES.test(head) };
}
