/** One WebSocket that comes back: pings to prove it lives, reconnects with growing pauses, says how it is. */
import { PING, PONG, SUCCEED } from '@orrery/api';
import type { StreamMessage, Subscribe, Unsubscribe } from '@orrery/api';

export const PING_EVERY_MS = 5_000;
/** Silence longer than this is a dead connection, whatever the browser believes. */
export const DEAD_AFTER_MS = 12_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

export interface SocketListeners {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

/** The part of a WebSocket that is used, so that a test can bring its own. */
export interface Socket {
  send(text: string): void;
  close(): void;
}
export type OpenSocket = (listeners: SocketListeners) => Socket;

export interface ConnectionOptions {
  readonly open: OpenSocket;
  readonly now: () => number;
  readonly onOpen: () => void;
  readonly onMessage: (message: StreamMessage) => void;
  readonly onClose: () => void;
}

/** 250 ms, 500 ms, … 8 s, each up to half shorter, so that a thousand pages do not come back in the same instant. */
export function pauseBefore(attempt: number, chance: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return pause * (1 - chance / 2);
}

export class Connection {
  readonly #options: ConnectionOptions;
  #socket: Socket | undefined;
  /** Counts sockets: what an abandoned one still says is not heard. */
  #generation = 0;
  #isOpen = false;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pingAt = 0;
  #heardAt = 0;
  #latency: number | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  get latency(): number | undefined {
    return this.#latency;
  }

  connect(): void {
    clearTimeout(this.#retry);
    this.#heardAt = Math.max(this.#heardAt, this.#options.now());
    const generation = (this.#generation += 1);
    const current = (act: () => void): void => {
      if (generation === this.#generation) act();
    };
    this.#socket = this.#options.open({
      onOpen: () => current(() => this.#opened()),
      onText: (text) => current(() => this.#heard(text)),
      onClose: () => current(() => this.#closed()),
    });
  }

  send(message: Subscribe | Unsubscribe): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /** Called regularly: pings an open connection and gives up a silent one. */
  tend(): void {
    const now = this.#options.now();
    if (this.#socket === undefined) return;
    if (now - this.#heardAt > DEAD_AFTER_MS) {
      this.#socket.close();
      this.#closed();
    } else if (this.#isOpen && now - this.#pingAt >= PING_EVERY_MS) {
      this.#pingAt = now;
      this.#socket.send(PING);
    }
  }

  #opened(): void {
    this.#isOpen = true;
    this.#attempt = 0;
    this.#pingAt = 0;
    this.#heardAt = this.#options.now();
    this.#options.onOpen();
  }

  #heard(text: string): void {
    this.#heardAt = this.#options.now();
    if (text === PONG) this.#latency = this.#heardAt - this.#pingAt;
    else if (text !== SUCCEED) this.#options.onMessage(JSON.parse(text));
  }

  #closed(): void {
    this.#generation += 1;
    this.#socket = undefined;
    this.#isOpen = false;
    this.#latency = undefined;
    this.#retry = setTimeout(() => this.connect(), pauseBefore(this.#attempt, Math.random()));
    this.#attempt += 1;
    this.#options.onClose();
  }
}
