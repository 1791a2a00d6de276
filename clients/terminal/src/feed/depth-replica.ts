/**
 * A market's book, kept from the stream: a whole depth, then one level at a time, each with the next number.
 * A missing number or a checksum that differs means that the copy is no longer the book; it must be asked for anew.
 */
import { CHECKSUM_LEVELS, depthChecksum } from '@orrery/api';
import { NO_LOTS, parseLots, parseTicks, printLots, printTicks } from '@orrery/units';
import type { Depth, DepthLevel } from '@orrery/api';
import type { Lots, Ticks } from '@orrery/units';
import type { BookSide } from './ladder.ts';

export interface Precisions {
  readonly pricePrecision: number;
  readonly sizePrecision: number;
}

/** `waiting` until a whole depth has come; `broken` when a level was missed or a checksum failed. */
export type ReplicaState = 'waiting' | 'whole' | 'broken';

class Side implements BookSide {
  readonly prices: Ticks[] = [];
  readonly sizes: Lots[] = [];
  /** 1 when lower prices are better (asks), -1 when higher ones are. */
  readonly #order: 1 | -1;

  constructor(order: 1 | -1) {
    this.#order = order;
  }

  get length(): number {
    return this.prices.length;
  }

  clear(): void {
    this.prices.length = 0;
    this.sizes.length = 0;
  }

  put(price: Ticks, size: Lots): void {
    const at = this.#position(price);
    const isKnown = this.prices[at] === price;
    if (size === 0) {
      if (isKnown) {
        this.prices.splice(at, 1);
        this.sizes.splice(at, 1);
      }
    } else if (isKnown) {
      this.sizes[at] = size;
    } else {
      this.prices.splice(at, 0, price);
      this.sizes.splice(at, 0, size);
    }
  }

  /** Where the price stands or would stand. */
  #position(price: Ticks): number {
    let low = 0;
    let high = this.prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.prices[middle] ?? 0) - price) * this.#order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class DepthReplica {
  readonly bids = new Side(-1);
  readonly asks = new Side(1);
  readonly #precisions: Precisions;
  #state: ReplicaState = 'waiting';
  #id = 0;

  constructor(precisions: Precisions) {
    this.#precisions = precisions;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  reset(): void {
    this.#state = 'waiting';
  }

  replace(depth: Depth): void {
    this.bids.clear();
    this.asks.clear();
    this.#id = depth.id;
    this.#state = 'whole';
    for (const [price, size] of depth.b) this.#put(this.bids, price, size);
    for (const [price, size] of depth.a) this.#put(this.asks, price, size);
    if (depth.c !== undefined) this.#check(depth.c);
  }

  /** Levels that a whole depth has already counted are passed over. */
  update(level: DepthLevel): void {
    if (this.#state !== 'whole' || level.id <= this.#id) return;
    if (level.id !== this.#id + 1) {
      this.#state = 'broken';
      return;
    }
    this.#id = level.id;
    this.#put(level.m === 1 ? this.bids : this.asks, level.p, level.q);
    if (level.c !== undefined) this.#check(level.c);
  }

  #put(side: Side, price: string, size: string): void {
    const ticks = parseTicks(price, this.#precisions.pricePrecision);
    const lots = parseLots(size, this.#precisions.sizePrecision);
    if (ticks === undefined || lots === undefined) this.#state = 'broken';
    else side.put(ticks, lots);
  }

  #check(checksum: number): void {
    if (this.#state === 'whole' && depthChecksum({ b: this.#top(this.bids), a: this.#top(this.asks) }) !== checksum) this.#state = 'broken';
  }

  #top(side: Side): [string, string][] {
    const { pricePrecision, sizePrecision } = this.#precisions;
    return side.prices
      .slice(0, CHECKSUM_LEVELS)
      .map((price, rank) => [printTicks(price, pricePrecision), printLots(side.sizes[rank] ?? NO_LOTS, sizePrecision)]);
  }
}
