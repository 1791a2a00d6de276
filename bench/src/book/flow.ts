/**
 * The workload of the book benchmark: a seeded flow of 55 % passive orders, 40 % cancels and 5 % marketable orders around a wandering
 * price, and the answer that every correct book must give to it. Marketable orders are sized so that they fill whole and the book
 * stays near its target number of resting orders.
 */
import { bookHash, type RestingLevel } from './hash.ts';
import { Random } from './random.ts';

export const ADD = 0;
export const CANCEL = 1;
const TAKE = 2;
/** Numbers of one operation: kind, side (0 buy, 1 sell), id, price, size. */
export const WIDTH = 5;

export interface FlowOptions {
  readonly seed: number;
  readonly operations: number;
  /** Resting orders that the book is filled with first and then kept near. */
  readonly resting: number;
  readonly spread: 'narrow' | 'wide';
}

export interface Flow {
  /** `WIDTH` numbers an operation; the first `prefill` of them only fill the book. */
  readonly records: Int32Array;
  readonly prefill: number;
  readonly operations: number;
  readonly maxId: number;
  readonly expected: { readonly trades: number; readonly notional: bigint; readonly hash: string };
}

interface Order {
  readonly id: number;
  readonly side: 0 | 1;
  readonly step: number;
  size: number;
  /** Its place among the live orders. */
  place: number;
}

/** Prices are counted in steps from here. */
const LOWEST = 92_000;
const STEPS = 16_001;
const NEAR = { mean: 15, cap: 400 };
const FAR = { mean: 1000, cap: 5000 };

export function generateFlow(options: FlowOptions): Flow {
  const market = new FlowMarket(options);
  for (let count = 0; count < options.resting; count += 1) market.add(options.spread === 'wide' ? FAR : NEAR);
  for (let count = 0; count < options.operations; count += 1) market.step();
  const hash = bookHash(market.levels());
  return {
    records: Int32Array.from(market.records),
    prefill: options.resting,
    operations: options.operations,
    maxId: market.maxId,
    expected: { trades: market.trades, notional: market.notional, hash },
  };
}

/** A slow, plain book that draws each next operation from its own state. */
class FlowMarket {
  readonly records: number[] = [];
  trades = 0;
  notional = 0n;
  maxId = 0;
  readonly #options: FlowOptions;
  readonly #random: Random;
  readonly #queues: Order[][] = Array.from({ length: STEPS }, () => []);
  readonly #live: Order[] = [];
  #bestBuy = -1;
  #bestSell = STEPS;
  #middle = (STEPS - 1) / 2;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  step(): void {
    const random = this.#random;
    if (random.fraction() < 0.1) this.#middle += random.bit() ? 1 : -1;
    const twoSided = this.#bestBuy >= 0 && this.#bestSell < STEPS;
    if (twoSided && random.fraction() < 0.02) this.#middle = (this.#bestBuy + this.#bestSell) >> 1;
    this.#middle = Math.min(Math.max(this.#middle, 2000), STEPS - 2000);
    const roll = random.fraction();
    if (roll < 0.55 || this.#live.length < 50) this.add(this.#options.spread === 'wide' && random.fraction() < 0.2 ? FAR : NEAR);
    else if (roll < 0.95) this.#cancel();
    else this.#take();
  }

  add(distance: typeof NEAR): void {
    const random = this.#random;
    const side = random.bit() ? 1 : 0;
    const size = 1 + random.below(100);
    const away = Math.floor(1 + Math.min(distance.cap, random.exponential(distance.mean)));
    const passive = side === 0 ? Math.min(this.#middle - away, this.#bestSell - 1) : Math.max(this.#middle + away, this.#bestBuy + 1);
    const step = Math.min(Math.max(passive, 0), STEPS - 1);
    const order: Order = { id: this.#newId(), side, step, size, place: this.#live.length };
    this.#live.push(order);
    this.#queues[step]?.push(order);
    if (side === 0) this.#bestBuy = Math.max(this.#bestBuy, step);
    else this.#bestSell = Math.min(this.#bestSell, step);
    this.#record(ADD, side, order.id, step, size);
  }

  /** Every used price with its orders, from the lowest. */
  levels(): RestingLevel[] {
    return this.#queues.flatMap((orders, step) => {
      const side = orders[0]?.side;
      return side === undefined ? [] : [{ side, price: LOWEST + step, orders }];
    });
  }

  #cancel(): void {
    const order = this.#live[this.#random.below(this.#live.length)];
    if (order === undefined) throw new Error('a cancel needs a live order');
    this.#record(CANCEL, order.side, order.id, order.step, 0);
    this.#drop(order);
  }

  #take(): void {
    const random = this.#random;
    const side = random.bit() ? 1 : 0;
    const makers = this.#firstOrders(side === 0 ? 1 : 0, 1 + random.below(this.#live.length > this.#options.resting ? 7 : 3));
    const last = makers.orders.at(-1);
    if (last === undefined) return this.add(NEAR);
    let size = makers.orders.reduce((sum, order) => sum + order.size, 0);
    // Half of the time the last maker is only partly filled.
    if (makers.complete && random.bit()) size += 1 + random.below(last.size) - last.size;
    const limit = last.step + (side === 0 ? 1 : -1) * random.below(3);
    this.#record(TAKE, side, this.#newId(), Math.min(Math.max(limit, 0), STEPS - 1), size);
    this.#fill(makers.orders, size);
  }

  /** The first `count` orders of a side by priority; `complete` when the side has that many. */
  #firstOrders(side: 0 | 1, count: number): { orders: readonly Order[]; complete: boolean } {
    const orders: Order[] = [];
    const away = side === 1 ? 1 : -1;
    for (let step = side === 1 ? this.#bestSell : this.#bestBuy; step >= 0 && step < STEPS && orders.length < count; step += away) {
      orders.push(...(this.#queues[step] ?? []).slice(0, count - orders.length));
    }
    return { orders, complete: orders.length === count };
  }

  #fill(makers: readonly Order[], size: number): void {
    let left = size;
    for (const maker of makers) {
      const filled = Math.min(left, maker.size);
      left -= filled;
      maker.size -= filled;
      this.trades += 1;
      this.notional += BigInt(filled) * BigInt(LOWEST + maker.step);
      if (maker.size === 0) this.#drop(maker);
    }
  }

  #drop(order: Order): void {
    const last = this.#live.pop();
    if (last !== undefined && last !== order) {
      this.#live[order.place] = last;
      last.place = order.place;
    }
    const queue = this.#queues[order.step];
    queue?.splice(queue.indexOf(order), 1);
    if (queue?.length !== 0) return;
    while (this.#bestBuy >= 0 && this.#queues[this.#bestBuy]?.[0]?.side !== 0) this.#bestBuy -= 1;
    while (this.#bestSell < STEPS && this.#queues[this.#bestSell]?.[0]?.side !== 1) this.#bestSell += 1;
  }

  #newId(): number {
    this.maxId += 1;
    return this.maxId;
  }

  #record(kind: number, side: number, id: number, step: number, size: number): void {
    this.records.push(kind, side, id, LOWEST + step, size);
  }
}
