/** Readers of the stream that stop reading, and one that reads the same messages and detects when they are gone. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { PING, STREAM_PATH } from '@orrery/api';
import { createClient } from '@orrery/sdk';

/** How often it is looked who is still there. */
export const LOOK_MS = 250;
const IMPATIENT_AFTER_MS = 20_000;
const ALIVE_EVERY_MS = 5_000;

/** Subscribes to everything, and then reads nothing until `read` is called. */
export class Laggard {
  readonly #wire: Wire;

  private constructor(wire: Wire) {
    this.#wire = wire;
  }

  static async open(url: string, { index, symbol }: { readonly index: number; readonly symbol: string }): Promise<Laggard> {
    const wire = await Wire.open(url, `10.8.${index >> 4}.${index & 15}`);
    wire.say(JSON.stringify({ sub: 'subSymbol', symbol }));
    return new Laggard(wire);
  }

  /** @returns the bytes that it was given; undefined when they did not end. */
  async readToTheEnd(): Promise<number | undefined> {
    const { socket } = this.#wire;
    let isImpatient = false;
    const impatience = setTimeout(() => {
      isImpatient = true;
      socket.destroy();
    }, IMPATIENT_AFTER_MS);
    const closed = once(socket, 'close');
    this.#wire.read(() => undefined);
    await closed;
    clearTimeout(impatience);
    return isImpatient ? undefined : this.#wire.bytes;
  }
}

/** Reads the messages sent to the laggards in time, and detects when they are gone. */
export class Watch {
  readonly #url: string;
  readonly #wire: Wire;
  readonly #others: number;
  readonly #reported: { readonly at: number; readonly bytes: number }[] = [];
  readonly #alive: NodeJS.Timeout;
  #isOver = false;
  #looking: Promise<void> = Promise.resolve();
  goneAt: number | undefined;
  slowestLookMs = 0;

  private constructor(url: string, wire: Wire, others: number) {
    this.#url = url;
    this.#wire = wire;
    this.#others = others;
    this.#alive = setInterval(() => wire.say(PING), ALIVE_EVERY_MS);
    wire.read((bytes) => this.#reported.push({ at: performance.now(), bytes }));
  }

  /** @param options.others who read as well, and stay. */
  static async open(url: string, { others, symbol }: { readonly others: number; readonly symbol: string }): Promise<Watch> {
    const wire = await Wire.open(url, '10.9.0.2');
    const watch = new Watch(url, wire, others);
    wire.say(JSON.stringify({ sub: 'subSymbol', symbol }));
    return watch;
  }

  begin(): void {
    this.#looking = this.#look();
  }

  /** When this number of bytes had been sent. */
  reportedAt(bytes: number): number | undefined {
    return this.#reported.find((reported) => reported.bytes >= bytes)?.at;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#alive);
    await this.#looking;
    this.#wire.socket.destroy();
  }

  async #look(): Promise<void> {
    const client = createClient({ baseUrl: this.#url });
    while (!this.#isOver && this.goneAt === undefined) {
      const asked = performance.now();
      const { connections } = await client.status();
      this.slowestLookMs = Math.max(this.slowestLookMs, Math.round(performance.now() - asked));
      // Only the other readers and this one are connected.
      if (connections <= this.#others + 1) this.goneAt = asked;
      else await pause(LOOK_MS);
    }
  }
}

const TEXT = 0x81;
const MASKED = 0x80;
const NO_MASK = [0, 0, 0, 0];

/** A WebSocket that counts bytes and reads only on demand: a library would read ahead. */
class Wire {
  readonly socket: Duplex;
  /** That came, before they are understood. */
  bytes = 0;
  readonly #head: Buffer;

  private constructor(socket: Duplex, head: Buffer) {
    this.socket = socket;
    this.#head = head;
    // It is cut off in the end: that is what it is for.
    socket.on('error', () => undefined);
  }

  static open(url: string, from: string): Promise<Wire> {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      'x-forwarded-for': from,
    };
    return new Promise((resolve, reject) => {
      const asked = request(new URL(STREAM_PATH, url), { headers });
      asked.once('upgrade', (_response, socket, head) => resolve(new Wire(socket, head)));
      asked.once('response', ({ statusCode }) => reject(new Error(`the stream was refused with ${String(statusCode)}`)));
      asked.once('error', reject);
      asked.end();
    });
  }

  /** @param text of less than 126 bytes. */
  say(text: string): void {
    const payload = Buffer.from(text);
    this.socket.write(Buffer.concat([Buffer.from([TEXT, MASKED | payload.length, ...NO_MASK]), payload]));
  }

  read(note: (bytes: number) => void): void {
    this.bytes += this.#head.length;
    this.socket.on('data', (piece) => {
      this.bytes += piece.length;
      note(this.bytes);
    });
    this.socket.resume();
  }
}
