/** A trader who places and cancels orders one after the other, and records each latency and failure. */
import { setTimeout as pause } from 'node:timers/promises';
import { CallError, ConnectionError, type Client } from '@orrery/sdk';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { Memory } from '../program/traders.ts';

const SYMBOL = 'SOL_USDC';
/** Below ten orders a second, which is what an account may place. */
const PAUSE_MS = 150;

export class SteadyTrader {
  readonly client: Client;
  readonly memory = new Memory();
  /** Of every order since the last `take`, in milliseconds. */
  #latencies: number[] = [];
  /** Answers that no order may get while only something beside trading has failed. */
  readonly failures: string[] = [];
  readonly #chance: Chance;
  readonly #name: string;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: { client: Client; chance: Chance; name: string }) {
    this.client = options.client;
    this.#chance = options.chance;
    this.#name = options.name;
  }

  start(): void {
    this.#running = this.#trade();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  take(): readonly number[] {
    const taken = this.#latencies;
    this.#latencies = [];
    return taken;
  }

  async #trade(): Promise<void> {
    for (let count = 0; !this.#isOver; count += 1) {
      try {
        await this.#placeOne(`${this.#name}-${count}`);
      } catch (error) {
        if (error instanceof ConnectionError || (error instanceof CallError && error.status >= 500)) this.failures.push(error.message);
        else if (!(error instanceof CallError)) throw error;
      }
      await pause(PAUSE_MS);
    }
  }

  async #placeOne(clientOrderId: string): Promise<void> {
    const { c: last } = await this.client.ticker({ symbol: SYMBOL });
    const price = ((Number(last) * (950 + this.#chance.below(100))) / 1_000).toFixed(2).replace(/\.?0+$/, '');
    const direction = this.#chance.oneIn(2) ? 'BUY' : 'SELL';
    const started = performance.now();
    const orderId = await this.client.createOrder({
      symbol: SYMBOL,
      direction,
      tradeType: 'LIMIT',
      price,
      totalAmount: '0.1',
      clientOrderId,
    });
    this.#latencies.push(performance.now() - started);
    this.memory.placed.set(clientOrderId, orderId);
    if (!this.#chance.oneIn(3)) this.memory.canceled.add(await this.client.cancelOrder({ orderId }));
  }
}

/** @param part such as 0.99. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
}
