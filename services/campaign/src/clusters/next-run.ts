/** A search whose waiting callers share the next run: the one under way may have begun before what they have just done. */
export class NextRun<Value> {
  #underway: Promise<unknown> = Promise.resolve();
  #next: Promise<Value> | undefined;

  /** @param run begins after this call, and once for all that wait for it. */
  begin(run: () => Promise<Value>): Promise<Value> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#underway.then(() => {
      this.#next = undefined;
      return run();
    });
    this.#next = next;
    this.#underway = next.catch(() => undefined);
    return next;
  }
}
