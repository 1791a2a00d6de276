/**
 * A proxy in front of the program that a test can shut: the files of the page still come through, as from a cache, and everything else
 * meets silence, or a host that says it is out of service.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type GateState = 'open' | 'silent' | 'out of service';

export class Gate {
  readonly url: string;
  /** Port of the program behind. */
  #target = 0;
  #state: GateState = 'open';
  readonly #server: Server;
  readonly #streams = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => this.#pass(incoming, response));
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(incoming, { socket, head }));
  }

  /** Listens at once: the program behind is started with this address among its own. */
  static async open(): Promise<Gate> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Gate(server);
  }

  leadTo(url: string): void {
    this.#target = Number(new URL(url).port);
  }

  /** Streams that are open end with the passage. */
  set(state: GateState): void {
    this.#state = state;
    if (state !== 'open') for (const stream of this.#streams) stream.destroy();
  }

  async close(): Promise<void> {
    this.set('silent');
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const isFile = incoming.headers['sec-fetch-dest'] !== 'empty' && incoming.method === 'GET';
    if (this.#state === 'silent' && !isFile) return void response.destroy();
    if (this.#state === 'out of service' && !isFile) return void response.writeHead(503).end('<h1>Back soon</h1>');
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: this.#target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  }

  #upgrade({ method, url, rawHeaders }: IncomingMessage, { socket, head }: { readonly socket: Duplex; readonly head: Buffer }): void {
    socket.on('error', () => socket.destroy());
    if (this.#state !== 'open') return void socket.destroy();
    const onward: Socket = connect(this.#target, '127.0.0.1', () => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      onward.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    this.#streams.add(socket);
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => {
      this.#streams.delete(socket);
      onward.destroy();
    });
  }
}
