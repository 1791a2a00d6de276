/** For tests: one connection to the stream, and everything that was received on it. */
import { SUCCEED } from '@orrery/api';
import { WebSocket } from 'ws';
import { eventually } from './venue.ts';

export interface Received {
  readonly resType: string;
  readonly id?: number;
  readonly code?: number;
  readonly seq?: number;
  readonly data: unknown;
}

export class Ear {
  readonly #socket: WebSocket;
  readonly #received: Received[] = [];
  /** Messages that are not JSON: `succeed`, `pong`. */
  readonly texts: string[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (raw: Buffer) => {
      const text = raw.toString('utf8');
      if (text.startsWith('{')) this.#received.push(JSON.parse(text));
      else this.texts.push(text);
    });
    socket.on('error', () => undefined);
  }

  /** @param base of the gateway: `http://127.0.0.1:8080` */
  static async open(base: string): Promise<Ear> {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/spot/v1/ws/socket`);
    const ear = new Ear(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return ear;
  }

  say(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends a subscription and waits until it is acknowledged. */
  async subscribe(message: object): Promise<void> {
    const acknowledged = () => this.texts.filter((text) => text === SUCCEED).length;
    const before = acknowledged();
    this.say(message);
    await eventually(() => acknowledged() > before || undefined, `succeed after ${JSON.stringify(message)}`);
  }

  of(resType: string): Received[] {
    return this.#received.filter((message) => message.resType === resType);
  }

  /** The first message of this type that matches, received already or still to come. */
  next(resType: string, matches: (message: Received) => boolean = () => true): Promise<Received> {
    return eventually(() => this.of(resType).find(matches), resType);
  }

  close(): void {
    this.#socket.terminate();
  }
}
