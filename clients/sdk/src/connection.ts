/** A WebSocket that stays: opened again after it is lost, later each time; pinged while it is silent; its messages paced. */
import { PING, PONG } from '@orrery/api';
import { ConnectionError } from './call-error.ts';

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed';

/** The part of WebSocket that is used, so that browsers, workers, Node and tests can each bring their own. */
export type OpenSocket = (url: string) => Pick<WebSocket, 'send' | 'close' | 'addEventListener' | 'readyState'>;

export interface ConnectionOptions {
  readonly url: string;
  readonly openSocket?: OpenSocket;
  onState(state: ConnectionState): void;
  /** Text of a message; pings are answered and not shown. */
  onMessage(text: string): void;
}

/** After so long without a message the other side is asked, and after as long again given up. */
const SILENCE_MS = 15_000;
const BACKOFF_MS = 500;
const BACKOFF_MAX_MS = 15_000;
/** The exchange takes 10 messages a second and 20 at once. */
const PACE_MS = 110;
const BURST = 15;

export class Connection {
  readonly #options: ConnectionOptions;
  #socket: ReturnType<OpenSocket> | undefined;
  #outbox: string[] = [];
  #budget = BURST;
  #lost = 0;
  #heardAt = 0;
  #timers: { watch?: ReturnType<typeof setInterval>; pace?: ReturnType<typeof setInterval>; retry?: ReturnType<typeof setTimeout> } = {};
  #closed = false;
  /** A `ping` that a caller awaits the answer of. */
  #measured: { readonly sentAt: number; readonly answer: PromiseWithResolvers<number> } | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  open(): void {
    this.#options.onState('connecting');
    const socket = (this.#options.openSocket ?? ((url) => new WebSocket(url)))(this.#options.url);
    this.#socket = socket;
    this.#heardAt = Date.now();
    // A lost socket is forgotten at once: what it still has to say is not for its successor.
    const current = (): boolean => this.#socket === socket;
    socket.addEventListener('open', () => current() && this.#opened());
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => current() && typeof data === 'string' && this.#heard(data));
    socket.addEventListener('close', () => current() && this.#dropped());
    socket.addEventListener('error', () => current() && this.#dropped());
    this.#timers.watch = setInterval(() => this.#watch(), SILENCE_MS / 3);
  }

  /** Sent in order, as fast as the exchange takes messages; dropped when the connection is lost before. */
  send(message: string): void {
    this.#outbox.push(message);
    this.#flush();
  }

  /**
   * Asks the other side for a sign of life: one `ping` at a time, which all callers share.
   * @returns the time until its answer, milliseconds. Rejects with a `ConnectionError` when the connection is lost before, or is not open.
   */
  ping(): Promise<number> {
    if (this.#measured !== undefined) return this.#measured.answer.promise;
    if (this.#socket?.readyState !== 1) return Promise.reject(lost());
    const answer = Promise.withResolvers<number>();
    this.#measured = { sentAt: performance.now(), answer };
    this.send(PING);
    return answer.promise;
  }

  close(): void {
    this.#closed = true;
    this.#release();
    this.#options.onState('closed');
  }

  #opened(): void {
    this.#lost = 0;
    this.#budget = BURST;
    this.#timers.pace = setInterval(() => {
      this.#budget = Math.min(this.#budget + 1, BURST);
      this.#flush();
    }, PACE_MS);
    this.#options.onState('open');
    this.#flush();
  }

  #heard(text: string): void {
    this.#heardAt = Date.now();
    if (text === PING) this.send(PONG);
    else if (text !== PONG) this.#options.onMessage(text);
    else if (this.#measured !== undefined) {
      const { sentAt, answer } = this.#measured;
      this.#measured = undefined;
      answer.resolve(performance.now() - sentAt);
    }
  }

  #watch(): void {
    const silence = Date.now() - this.#heardAt;
    if (silence > 2 * SILENCE_MS) this.#dropped();
    else if (silence > SILENCE_MS) this.send(PING);
  }

  #flush(): void {
    if (this.#socket?.readyState !== 1) return;
    const sendable = this.#outbox.splice(0, this.#budget);
    this.#budget -= sendable.length;
    for (const message of sendable) this.#socket.send(message);
  }

  #dropped(): void {
    this.#release();
    if (this.#closed) return;
    this.#options.onState('waiting');
    // Half fixed, half chance, so that many clients do not return at the same moment.
    const backoff = Math.min(BACKOFF_MS * 2 ** this.#lost, BACKOFF_MAX_MS);
    this.#lost += 1;
    this.#timers.retry = setTimeout(() => this.open(), backoff / 2 + (Math.random() * backoff) / 2);
  }

  #release(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#outbox = [];
    clearInterval(this.#timers.watch);
    clearInterval(this.#timers.pace);
    clearTimeout(this.#timers.retry);
    this.#measured?.answer.reject(lost());
    this.#measured = undefined;
    socket?.close();
  }
}

const lost = (): ConnectionError => new ConnectionError('the stream is not connected', { timedOut: false });
