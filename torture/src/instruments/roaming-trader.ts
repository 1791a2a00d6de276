/** A trader of several gateways: when one has no answer, the other is asked under the same name. It notes what was acknowledged and how long that took. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CreateOrder } from '@orrery/api';
import { CallError, type Client, ConnectionError } from '@orrery/sdk';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { Memory } from '../program/traders.ts';

/** Below ten orders a second, which is what an account may place. */
const PAUSE_MS = 150;
const AGAIN_MS = 50;
const PATIENCE_MS = 60_000;

export interface Waited {
  readonly askedAt: number;
  readonly answeredAt: number;
}

export interface RoamingTraderOptions {
  /** Of one account, at each gateway. */
  readonly clients: readonly Client[];
  readonly chance: Chance;
  readonly name: string;
  readonly draw: () => CreateOrder;
}

export class RoamingTrader {
  readonly memory = new Memory();
  /** Of every order that was acknowledged, by the monotonic clock. */
  readonly waits: Waited[] = [];
  /** Orders that were refused with a reason, by that. */
  readonly refusals = new Map<string, number>();
  /** Calls without an answer, which the other gateway was asked again. */
  again = 0;
  readonly faults: string[] = [];
  readonly #options: RoamingTraderOptions;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RoamingTraderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#trade();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #trade(): Promise<void> {
    const { name, chance, draw } = this.#options;
    for (let count = 0; !this.#isOver; count += 1) {
      const clientOrderId = `${name}-${count}`;
      const askedAt = performance.now();
      const order = { ...draw(), clientOrderId };
      const orderId = await this.#ask(clientOrderId, (client) => client.createOrder(order));
      if (orderId !== undefined) {
        this.waits.push({ askedAt, answeredAt: performance.now() });
        this.memory.placed.set(clientOrderId, orderId);
        const isCanceled = chance.oneIn(2) && (await this.#ask(clientOrderId, (client) => client.cancelOrder({ orderId }))) !== undefined;
        if (isCanceled) this.memory.canceled.add(orderId);
      }
      await pause(PAUSE_MS);
    }
  }

  /** Undefined when it was refused. */
  async #ask(name: string, call: (client: Client) => Promise<string>): Promise<string | undefined> {
    const { clients, chance } = this.#options;
    let at = chance.below(clients.length);
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; at = (at + 1) % clients.length) {
      const client = clients[at];
      if (client === undefined) break;
      try {
        return await call(client);
      } catch (error) {
        const hasNoAnswer =
          error instanceof ConnectionError || (error instanceof CallError && (error.status >= 500 || error.status === 429));
        if (!hasNoAnswer) {
          const reason = error instanceof CallError ? (error.reason ?? error.message) : String(error);
          this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
          return undefined;
        }
        this.again += 1;
        await pause(AGAIN_MS);
      }
    }
    this.faults.push(`${name} was not answered within ${PATIENCE_MS / 1_000} s`);
    return undefined;
  }
}
