/**
 * The signing page on a port of its own, for an exchange on this machine. Browsers give a page no storage inside a page of another site, and on
 * loopback every name of a host is a site of its own: only another port is another origin of the same site.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuseSocket } from '../http/server.ts';
import { limitSockets } from '../http/sockets.ts';
import type { Limits } from '../limits/limits.ts';

export interface SignerListenerOptions {
  readonly limits: Limits;
  /** 0: any that is free. */
  readonly port: number;
}

export class SignerListener {
  readonly #main: FastifyInstance;
  readonly #server: Server;
  readonly #wanted: number;
  #port: number | undefined;

  constructor(main: FastifyInstance, { limits: { http }, port }: SignerListenerOptions) {
    this.#main = main;
    this.#wanted = port;
    const options = {
      maxHeaderSize: http.headerBytes,
      requestTimeout: http.requestTimeoutMs,
      headersTimeout: http.headersTimeoutMs,
      keepAliveTimeout: http.idleTimeoutMs,
      connectionsCheckingInterval: http.checkIntervalMs,
      // The main server refuses a missing one, with an envelope.
      requireHostHeader: false,
    };
    this.#server = createServer(options, (request, response) => main.routing(request, response));
    this.#server.on('clientError', refuseSocket);
    limitSockets(this.#server, { ofNetwork: http.socketsPerNetwork, ofAll: http.sockets });
  }

  /** The port that is taken; undefined before `listen`. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Whether the request came in by this port. */
  isAt({ socket }: IncomingMessage): boolean {
    return this.#port !== undefined && socket.localPort === this.#port;
  }

  /**
   * Where the port is in use, any other one is taken: browsers then recover their wallets by passphrase, because storage belongs to a port.
   * @returns the port.
   */
  async listen(host: string): Promise<number> {
    await this.#main.ready();
    try {
      await this.#open(host, this.#wanted);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      await this.#open(host, 0);
      this.#main.log.warn(
        `Port ${this.#wanted} of the signing page is in use: it is at another one, where e-mail wallets are recovered first.`,
      );
    }
    ({ port: this.#port } = this.#server.address() as AddressInfo);
    return this.#port;
  }

  async #open(host: string, port: number): Promise<void> {
    this.#server.listen({ host, port });
    // Rejects with the error of a port that can not be taken.
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
