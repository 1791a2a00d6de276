/** One exchange's quotes over a WebSocket: subscribes, remembers the newest quote of each symbol, and connects again when it falls silent. */
import { WebSocket } from 'ws';
import type { RawData } from 'ws';
import type { FeedConfig } from './feed-config.ts';
import { FEED_FORMATS } from './format.ts';
import type { Quote } from './format.ts';

export interface HeardQuote extends Quote {
  /** Milliseconds of a clock that only grows. */
  readonly heardAt: number;
}

export interface LiveFeedOptions {
  readonly config: FeedConfig;
  readonly monotonicMs: () => number;
  readonly log: (line: string) => void;
  /** The first pause before connecting again; it doubles up to thirty times itself. */
  readonly retryMs?: number;
}

/** A quote older than this is not used, and a feed silent for longer is reconnected. */
export const STALE_MS = 10_000;
const RETRY_MS = 1_000;
const RETRY_GROWTH_MAX = 30;
const SOCKET_OPTIONS = { handshakeTimeout: STALE_MS, maxPayload: 64 * 1_024, perMessageDeflate: false };

export class LiveFeed {
  readonly #options: LiveFeedOptions;
  /** By their symbol. */
  readonly #quotes = new Map<string, HeardQuote>();
  #socket: WebSocket | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#connect();
  }

  /** The newest quote of our symbol, however old. */
  quote(symbol: string): HeardQuote | undefined {
    const theirs = this.#options.config.symbols.get(symbol);
    return theirs === undefined ? undefined : this.#quotes.get(theirs);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#watchdog);
    clearTimeout(this.#retry);
    this.#socket?.terminate();
  }

  #connect(): void {
    const { url, format, symbols } = this.#options.config;
    const socket = new WebSocket(url, SOCKET_OPTIONS);
    this.#socket = socket;
    socket.on('open', () => {
      this.#options.log(`price feed ${url} is connected`);
      socket.send(FEED_FORMATS[format].subscription([...symbols.values()]));
      this.#watch();
    });
    socket.on('message', (data: RawData) => this.#hear(data));
    // A close follows every error: that is where it is dealt with.
    socket.on('error', (cause) => this.#options.log(`price feed ${url}: ${cause.message}`));
    socket.on('close', () => this.#reconnect());
  }

  #hear(data: RawData): void {
    this.#watch();
    const quote = this.#parse(data);
    if (quote === undefined) return;
    this.#failures = 0;
    this.#quotes.set(quote.symbol, { ...quote, heardAt: this.#options.monotonicMs() });
  }

  #parse(data: RawData): Quote | undefined {
    try {
      return Buffer.isBuffer(data) ? FEED_FORMATS[this.#options.config.format].read(JSON.parse(data.toString())) : undefined;
    } catch {
      // A message that is no JSON is no quote either; silence is noticed by the watchdog.
      return undefined;
    }
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#socket?.terminate(), STALE_MS);
  }

  #reconnect(): void {
    clearTimeout(this.#watchdog);
    if (this.#closed) return;
    const pause = (this.#options.retryMs ?? RETRY_MS) * Math.min(RETRY_GROWTH_MAX, 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.#connect(), pause);
  }
}
