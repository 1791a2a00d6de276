/** Keeps a book changing at a steady rate until it is stopped. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ask, restingOrder, type Around } from '../door/book-load.ts';
import { login, type Keys } from '../door/login.ts';

const TRADERS = 4;
const BATCH = 50;

export interface LoadOptions {
  readonly around: Around;
  /** Changes of the book. */
  readonly perSecond: number;
}

export class BookLoad {
  /** Changes so far. */
  changes = 0;
  #isOver = false;
  #turns: readonly Promise<void>[] = [];
  readonly #sockets: readonly WebSocket[];

  private constructor(sockets: readonly WebSocket[]) {
    this.#sockets = sockets;
  }

  static async start(url: string, keys: Keys, options: LoadOptions): Promise<BookLoad> {
    const sockets = await Promise.all(
      keys.slice(0, TRADERS).map(async (key) => {
        const socket = new WebSocket(url, { perMessageDeflate: false });
        await once(socket, 'open');
        await login(socket, key);
        return socket;
      }),
    );
    const load = new BookLoad(sockets);
    load.#turns = sockets.map((socket, place) => load.#trade(socket, place, options));
    return load;
  }

  /** @throws when a request was refused. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#turns);
    for (const socket of this.#sockets) socket.terminate();
  }

  /** A batch rests for half a turn, and is cancelled for the other half. */
  async #trade(socket: WebSocket, place: number, { around, perSecond }: LoadOptions): Promise<void> {
    const turnMs = (2 * BATCH * TRADERS * 1_000) / perSecond;
    const started = performance.now() + (place * turnMs) / TRADERS;
    const due = (turn: number): Promise<void> => pause(Math.max(0, started + turn * turnMs - performance.now()));
    for (let turn = 0; !this.#isOver; turn += 1) {
      await due(turn);
      const first = (turn * TRADERS + place) * BATCH;
      const orders = Array.from({ length: BATCH }, (_, index) => restingOrder(around, first + index));
      await ask(socket, { op: 'order.batchCreate', id: 2 * turn + 1, params: { orders } });
      this.changes += BATCH;
      await due(turn + 0.5);
      await ask(socket, { op: 'order.cancelAll', id: 2 * turn + 2, params: {} });
      this.changes += BATCH;
    }
  }
}
