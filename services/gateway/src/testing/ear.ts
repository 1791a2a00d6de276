/** For tests: one connection to a stream, and everything that was received on it. */
import { STREAM_PATH, SUCCEED } from '@orrery/api';
import { WebSocket } from 'ws';
import { eventually } from './venue.ts';

export interface Received {
  /** Of the stream of spot. */
  readonly resType?: string;
  /** Of the stream of contracts. */
  readonly topic?: string;
  readonly n?: number;
  readonly id?: number;
  readonly code?: number;
  readonly seq?: number;
  readonly data?: unknown;
}

export interface EarOptions {
  /** That of spot, unless it is given. */
  readonly path?: string;
  readonly origin?: string;
}

export class Ear {
  static readonly #open = new Set<Ear>();
  readonly socket: WebSocket;
  readonly heard: Received[] = [];
  /** Messages that are not JSON: `succeed`, `pong`. */
  readonly texts: string[] = [];
  /** The code with which the other side has closed it. */
  closed: number | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (raw: Buffer) => {
      const text = raw.toString('utf8');
      if (text.startsWith('{')) this.heard.push(JSON.parse(text) as Received);
      else this.texts.push(text);
    });
    socket.on('close', (code) => (this.closed = code));
    socket.on('error', () => undefined);
    Ear.#open.add(this);
  }

  /** @param base of the gateway: `http://127.0.0.1:8080`. Rejects with the status where the connection is turned away */
  static async open(base: string, { path = STREAM_PATH, origin }: EarOptions = {}): Promise<Ear> {
    const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, origin === undefined ? {} : { origin });
    const ear = new Ear(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => reject(new Error(`HTTP ${response.statusCode}`)));
    });
    return ear;
  }

  /** After each test. */
  static closeAll(): void {
    for (const ear of Ear.#open) ear.close();
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends a subscription and waits until it is acknowledged. */
  async subscribe(message: object): Promise<void> {
    const acknowledged = () => this.texts.filter((text) => text === SUCCEED).length;
    const before = acknowledged();
    this.say(message);
    await eventually(() => acknowledged() > before || undefined, `succeed after ${JSON.stringify(message)}`);
  }

  /** @param name of the type, or of the topic */
  of(name: string): Received[] {
    return this.heard.filter(({ resType, topic }) => (resType ?? topic) === name);
  }

  /** The first message of this name that matches, received already or still to come. */
  next(name: string, matches: (message: Received) => boolean = () => true): Promise<Received> {
    return eventually(() => this.of(name).find(matches), name);
  }

  close(): void {
    Ear.#open.delete(this);
    this.socket.terminate();
  }
}
