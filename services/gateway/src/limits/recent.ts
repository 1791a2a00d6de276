/** A table of bounded size that keeps what was used last: an entry is evicted after at least `most` others were used since. */
export class Recent<Key, Value> {
  readonly #most: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param most it holds at most twice this number of entries. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const kept = this.#old.get(key);
    if (kept === undefined) return undefined;
    this.#old.delete(key);
    this.set(key, kept);
    return kept;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#most && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
