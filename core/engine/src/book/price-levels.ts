/**
 * The price levels of one side, chained from best to worst. A level is known by its key: the price itself on the sell side,
 * the price counted down from the top on the buy side, so that on both sides the smaller key is the better price.
 */
import { grownFloats, grownInts } from './column.ts';
import { NO_LEVEL, PriceLadder } from './price-ladder.ts';

export class PriceLevels {
  #capacity = 256;
  #free = NO_LEVEL;
  #made = 0;
  readonly #ladder = new PriceLadder();

  best = NO_LEVEL;
  key = new Int32Array(this.#capacity);
  /** Front and back of the level's queue of orders, as slots. */
  front = new Int32Array(this.#capacity);
  back = new Int32Array(this.#capacity);
  orders = new Int32Array(this.#capacity);
  /** Lots on the level. */
  size = new Float64Array(this.#capacity);
  better = new Int32Array(this.#capacity);
  worse = new Int32Array(this.#capacity);

  /** The level at `key`, or NO_LEVEL. */
  find(key: number): number {
    return this.#ladder.get(key);
  }

  /** Makes a level at an unused key, without orders. */
  open(key: number): number {
    const level = this.#take();
    const better = this.best === NO_LEVEL || key < this.key[this.best]! ? NO_LEVEL : this.#ladder.below(key);
    const worse = better === NO_LEVEL ? this.best : this.worse[better]!;
    this.key[level] = key;
    this.orders[level] = 0;
    this.size[level] = 0;
    this.better[level] = better;
    this.worse[level] = worse;
    if (better === NO_LEVEL) this.best = level;
    else this.worse[better] = level;
    if (worse !== NO_LEVEL) this.better[worse] = level;
    this.#ladder.set(key, level);
    return level;
  }

  /** Takes a level without orders out of the chain. */
  close(level: number): void {
    const better = this.better[level]!;
    const worse = this.worse[level]!;
    if (better === NO_LEVEL) this.best = worse;
    else this.worse[better] = worse;
    if (worse !== NO_LEVEL) this.better[worse] = better;
    this.#ladder.delete(this.key[level]!);
    this.worse[level] = this.#free;
    this.#free = level;
  }

  #take(): number {
    if (this.#free !== NO_LEVEL) {
      const level = this.#free;
      this.#free = this.worse[level]!;
      return level;
    }
    if (this.#made === this.#capacity) this.#grow();
    this.#made += 1;
    return this.#made - 1;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.key = grownInts(this.key, this.#capacity);
    this.front = grownInts(this.front, this.#capacity);
    this.back = grownInts(this.back, this.#capacity);
    this.orders = grownInts(this.orders, this.#capacity);
    this.size = grownFloats(this.size, this.#capacity);
    this.better = grownInts(this.better, this.#capacity);
    this.worse = grownInts(this.worse, this.#capacity);
  }
}
