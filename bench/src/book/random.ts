/** xoshiro128**: a seeded stream of 32-bit words, the same on every machine. */
export class Random {
  readonly #state: Int32Array;

  constructor(seed: number) {
    this.#state = Int32Array.of(
      seed ^ 0x9e3779b9,
      Math.imul(seed, 0x85ebca6b) ^ 0x1234567,
      Math.imul(seed, 0xc2b2ae35) ^ 0x89abcde,
      0x2545f491 ^ seed,
    );
    for (let skipped = 0; skipped < 64; skipped += 1) this.word();
  }

  word(): number {
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = this.#state;
    const mixed2 = s2 ^ s0;
    const mixed3 = s3 ^ s1;
    this.#state.set([s0 ^ mixed3, s1 ^ mixed2, mixed2 ^ (s1 << 9), rotateLeft(mixed3, 11)]);
    return Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
  }

  bit(): boolean {
    return (this.word() & 1) === 1;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** Exponentially distributed. */
  exponential(mean: number): number {
    return -Math.log(1 - this.fraction()) * mean;
  }
}

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
