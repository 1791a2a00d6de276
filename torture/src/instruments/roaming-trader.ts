/** A trader of several gateways: when one has no answer, the other is asked under the same name. It notes what was acknowledged and how long that took. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CreateOrder } from '@orrery/api';
import { CallError, type Client } from '@orrery/sdk';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { Memory } from '../program/traders.ts';
import { isForNow } from '../program/patient-reads.ts';

/** Below ten orders a second, which is what an account may place. */
const PAUSE_MS = 150;
const AGAIN_MS = 50;
const PATIENCE_MS = 120_000;
/** A call that waited until its signature was too old, or that was signed before the gateway started: it was not looked at. */
const NOT_SIGNED = 401;

export interface Waited {
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** Neither: there was none in time, or a refusal after a try that may have been done. */
interface Answer {
  readonly orderId?: string;
  /** Of a refusal of the call itself, when no try of it can have been done. */
  readonly reason?: string;
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
  #isAbandoned = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RoamingTraderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#trade().catch((error: unknown) => void this.faults.push(`${this.#options.name} ended: ${String(error)}`));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** The exchange is closed: nothing more is asked for. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /** How many of the orders that it has asked for after this moment were acknowledged. */
  since(moment: number): number {
    return this.waits.length - 1 - this.waits.findLastIndex(({ askedAt }) => askedAt <= moment);
  }

  async #trade(): Promise<void> {
    const { name, chance, draw } = this.#options;
    for (let count = 0; !this.#isOver; count += 1) {
      const clientOrderId = `${name}-${count}`;
      const askedAt = performance.now();
      const order = { ...draw(), clientOrderId };
      const placed = await this.#ask(clientOrderId, (client) => client.createOrder(order));
      if (placed.orderId !== undefined) {
        const { orderId } = placed;
        this.waits.push({ askedAt, answeredAt: performance.now() });
        this.memory.placed.set(clientOrderId, orderId);
        const isCanceled =
          chance.oneIn(2) && (await this.#ask(clientOrderId, (client) => client.cancelOrder({ orderId }))).orderId !== undefined;
        if (isCanceled) this.memory.canceled.add(orderId);
      } else if (placed.reason !== undefined) this.memory.refused.set(clientOrderId, placed.reason);
      await pause(PAUSE_MS);
    }
  }

  /** At one gateway after the other, until there is an answer of the call itself. */
  async #ask(name: string, call: (client: Client) => Promise<string>): Promise<Answer> {
    const { clients, chance } = this.#options;
    let at = chance.below(clients.length);
    let mayBeDone = false;
    for (
      const deadline = performance.now() + PATIENCE_MS;
      !this.#isAbandoned && performance.now() < deadline;
      at = (at + 1) % clients.length
    ) {
      const client = clients[at];
      if (client === undefined) break;
      try {
        return { orderId: await call(client) };
      } catch (error) {
        const isOfTry = isForNow(error) || (error instanceof CallError && (error.outcomeUnknown || error.status === NOT_SIGNED));
        if (!isOfTry) {
          if (!(error instanceof CallError)) throw error;
          const reason = error.reason ?? error.message;
          this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
          return mayBeDone ? {} : { reason };
        }
        mayBeDone ||= !(error instanceof CallError) || error.outcomeUnknown;
        this.again += 1;
        await pause((error instanceof CallError ? error.retryAfterMs : undefined) ?? AGAIN_MS);
      }
    }
    this.faults.push(`${name} was not answered within ${PATIENCE_MS / 1_000} s`);
    return {};
  }
}
