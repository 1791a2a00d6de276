/** Seeded chance that splits: each actor draws from a stream of its own, so that one more draw here shifts nothing there. */
export class Chance {
  readonly #name: string;
  readonly #state: Uint32Array;

  /** Equal names give equal streams. */
  constructor(name: string) {
    this.#name = name;
    this.#state = stateOf(name);
    for (let warmUp = 0; warmUp < 12; warmUp += 1) this.#next();
  }

  /** A stream that depends on the names alone, not on what was drawn here. */
  split(name: string): Chance {
    return new Chance(`${this.#name}/${name}`);
  }

  /** From 0 and below 1. */
  unit(): number {
    return this.#next() / 2 ** 32;
  }

  /** A whole number from 0 and below `limit`. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** A whole number between the two, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  happens(probability: number): boolean {
    return this.unit() < probability;
  }

  oneIn(many: number): boolean {
    return this.below(many) === 0;
  }

  pick<const Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  /** One of a list that may be empty. */
  some<Value>(values: readonly Value[]): Value | undefined {
    return values[this.below(values.length)];
  }

  /** Memoryless, with this mean: how long until the next of what happens at any time. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }

  /** Between the two, small ones as likely as large ones by order of magnitude: a heavy tail. */
  magnitude(low: number, high: number): number {
    return low * (high / low) ** this.unit();
  }

  /** sfc32. */
  #next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const drawn = (a + b + counter) >>> 0;
    state[3] = counter + 1;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + drawn;
    return drawn;
  }
}

/** Four FNV-1a hashes of the name from different starts. */
function stateOf(name: string): Uint32Array {
  const state = new Uint32Array([0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]);
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    for (let word = 0; word < 4; word += 1) state[word] = Math.imul((state[word] ?? 0) ^ (code + word), 0x0100_0193);
  }
  return state;
}
