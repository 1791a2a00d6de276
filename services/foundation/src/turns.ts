/** Work on one thing after the other, in the order in which it was given; work on another thing does not wait. */

export class Turns<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Begins when all that was given for `key` before is done, whatever came of it. */
  async take<Answer>(key: Key, work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
