/** A JSON-RPC proxy between a program and its node that fails or lies on demand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcAnswer {
  readonly status: number;
  /** Of the answer to the call; `body` instead is sent as it is. */
  readonly result?: unknown;
  readonly error?: unknown;
  readonly body?: string;
}

/** Asks the node, with other parameters if they are given. */
type Forward = (params?: readonly unknown[]) => Promise<RpcAnswer>;

/** What becomes of a call. One that never resolves is never answered. */
export type RpcFault = (call: RpcCall, forward: Forward) => Promise<RpcAnswer>;

export class RpcProxy {
  readonly url: string;
  readonly #target: string;
  readonly #server: Server;
  #fault: RpcFault | undefined;
  /** Calls that met a fault. */
  touched = 0;

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#handle(request, response).catch(() => response.destroy()));
  }

  static async open(target: string): Promise<RpcProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RpcProxy(server, target);
  }

  /** Takes effect now; undefined heals. Connections that still wait for a suppressed answer are closed. */
  setFault(fault: RpcFault | undefined): void {
    this.#fault = fault;
    if (fault === undefined) this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = callOf(Buffer.concat(chunks).toString());
    const forward: Forward = (params = call.params) => this.#forward({ ...call, params });
    const fault = this.#fault;
    if (fault !== undefined) this.touched += 1;
    const answer = await (fault === undefined ? forward() : fault(call, forward));
    const { status, body = JSON.stringify({ jsonrpc: '2.0', id: call.id, result: answer.result, error: answer.error }) } = answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  }

  async #forward({ id, method, params }: RpcCall): Promise<RpcAnswer> {
    const response = await fetch(this.#target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    return { status: response.status, result, error };
  }
}

function callOf(text: string): RpcCall {
  const { id, method, params } = JSON.parse(text) as { id: unknown; method: string; params?: readonly unknown[] };
  return { id, method, params: params ?? [] };
}
