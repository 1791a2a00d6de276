/** An outside exchange that sends correct or faulty prices over a WebSocket. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** Bid and ask as they go out, with the time of the message; undefined sends nothing, a text goes out as it is. */
export type Reporting = { readonly bid: unknown; readonly ask: unknown; readonly time?: number } | string | undefined;

/** The message for a symbol, derived from its fair price. */
export type Report = (fair: number) => Reporting;

const EVERY_MS = 200;

export class PriceFeed {
  readonly #server: WebSocketServer;
  readonly #report: (symbol: string) => Reporting;
  readonly #symbols: readonly string[];
  readonly #timer: NodeJS.Timeout;

  private constructor(parts: { server: WebSocketServer; symbols: readonly string[]; report: (symbol: string) => Reporting }) {
    this.#server = parts.server;
    this.#symbols = parts.symbols;
    this.#report = parts.report;
    this.#timer = setInterval(() => this.#reportAll(), EVERY_MS);
  }

  static async open(options: { symbols: readonly string[]; report: (symbol: string) => Reporting }): Promise<PriceFeed> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new PriceFeed({ server, ...options });
  }

  /** For the setting of live price feeds. */
  get config(): object {
    const url = `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return { format: 'binance', url, symbols: Object.fromEntries(this.#symbols.map((symbol) => [symbol, symbol])) };
  }

  /** Ends every connection; they may come back. */
  drop(): void {
    for (const client of this.#server.clients) client.terminate();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #reportAll(): void {
    for (const symbol of this.#symbols) {
      const reporting = this.#report(symbol);
      if (reporting === undefined) continue;
      const text =
        typeof reporting === 'string' ? reporting : JSON.stringify({ E: reporting.time, s: symbol, b: reporting.bid, a: reporting.ask });
      for (const client of this.#server.clients) client.send(text);
    }
  }
}
