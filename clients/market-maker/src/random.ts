/** Seeded chance: the same seed gives the same quotes, sizes and pauses. */

/** A fixed word for a key: what a price level looks like never depends on when it is quoted. */
export function hash(seed: number, key: number): number {
  let mixed = Math.imul(seed ^ (key >>> 0), 0x9e3779b1) ^ Math.floor(key / 2 ** 32);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A stream of chance. */
export class Random {
  readonly #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    this.#drawn += 1;
    return hash(this.#seed, this.#drawn) / 2 ** 32;
  }

  /** Exponentially distributed whole number. */
  around(mean: number): number {
    return Math.round(-Math.log(1 - this.fraction()) * mean);
  }

  /** A whole number between both, small ones as likely as large ones by factor, not by difference. */
  byFactor(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.fraction());
  }
}
