/** One open WebSocket: what it may send, what it is owed, and when it is closed. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Principal } from '@orrery/api';
import type { Limits } from '../limits/limits.ts';
import { networkOf } from '../limits/network.ts';
import { textFrame } from './frame.ts';

/** RFC 6455, 7.4.1. */
export const CLOSE = { goingAway: 1001, policy: 1008, tryAgain: 1013 } as const;

/** How long a closed connection may take to say goodbye. */
const GOODBYE_MS = 2_000;

export class Connection {
  readonly socket: WebSocket;
  readonly ip: string;
  readonly network: string;
  readonly id: number;
  /** Whether it is one to the stream of contracts. */
  readonly isFutures: boolean;
  /** By login: who gives orders here. */
  trader: Principal | undefined;
  /** By `subUser`, or by a listen key: whose private stream this is. */
  reader: Principal | undefined;
  /** Whose private stream will be this, once history is followed as far as was asked for: an end meanwhile closes the connection. */
  opening: Principal | undefined;
  heardAt: number;
  /** Of the last private message. */
  n = 0;
  readonly topics = new Set<string>();
  /** Topics whose messages were left out because the reader is slow: it gets the whole again once it has caught up. */
  readonly missed = new Set<string>();
  readonly #wire: Duplex;
  readonly #limits: Limits['stream'];
  readonly #now: () => number;
  #behindSince: number | undefined;
  /** Resolves when what is being answered is answered; undefined when nothing waits. */
  #turn: Promise<void> | undefined;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;

  constructor(options: {
    socket: WebSocket;
    wire: Duplex;
    ip: string;
    id: number;
    isFutures: boolean;
    limits: Limits['stream'];
    now: () => number;
  }) {
    this.socket = options.socket;
    this.#wire = options.wire;
    this.ip = options.ip;
    this.network = networkOf(options.ip);
    this.id = options.id;
    this.isFutures = options.isFutures;
    this.#limits = options.limits;
    this.#now = options.now;
    this.heardAt = options.now();
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /**
   * Messages are answered in the order in which they came: one that waits for the database makes those after it wait.
   * @param answer does not throw, nor reject
   */
  inTurn(answer: () => Promise<void> | undefined): void {
    const answered = this.#turn === undefined ? answer() : this.#turn.then(() => (this.isOpen ? answer() : undefined));
    if (answered === undefined) return;
    const turn = answered.then(() => {
      if (this.#turn === turn) this.#turn = undefined;
    });
    this.#turn = turn;
  }

  /** For what must not be left out: replies and the private stream. */
  say(text: string): void {
    this.write(textFrame(text));
  }

  /** `frames` go straight to the wire: whole, uncompressed, and the same bytes for everyone. */
  write(frames: Buffer): void {
    if (!this.isOpen) return;
    if (this.#gathered.length === 0) process.nextTick(() => this.#send());
    this.#gathered.push(frames);
    this.#gatheredBytes += frames.length;
    if (this.#unreadBytes > this.#limits.closeAboveBytes) this.giveUp();
  }

  /** What is said in one turn, such as the answers to orders that became durable together, goes to the wire as one. */
  #send(): void {
    const [first] = this.#gathered;
    // The other side may have ended the connection in this very turn.
    if (first !== undefined && this.#wire.writable)
      this.#wire.write(this.#gathered.length === 1 ? first : Buffer.concat(this.#gathered, this.#gatheredBytes));
    this.#gathered = [];
    this.#gatheredBytes = 0;
  }

  get #unreadBytes(): number {
    return this.#wire.writableLength + this.#gatheredBytes;
  }

  /** For a topic that can be resent as a whole: dropped while the reader is slow. */
  offer(topic: string, frames: Buffer): void {
    if (this.missed.has(topic)) return;
    if (this.isBehind()) this.missed.add(topic);
    else this.write(frames);
  }

  /** True while more waits to be read than a fast reader leaves. Too much for too long, and the connection is given up. */
  isBehind(): boolean {
    if (this.#unreadBytes <= this.#limits.conflateAboveBytes) {
      this.#behindSince = undefined;
      return false;
    }
    this.#behindSince ??= this.#now();
    if (this.#now() - this.#behindSince > this.#limits.closeBehindMs) this.giveUp();
    return true;
  }

  giveUp(): void {
    this.close(CLOSE.tryAgain, 'too slow');
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.#send();
    this.socket.close(code, reason);
    // A client that does not read never gets the close frame.
    setTimeout(() => this.socket.terminate(), GOODBYE_MS).unref();
  }
}
