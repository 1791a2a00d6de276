/** How far an account was heard, by streams that end and go on: what happened in the newest command may be sent again. */
export class Heard {
  #seq: number | undefined;
  readonly #newest = { seq: 0, names: new Set<string>() };

  /** Up to which command everything was heard; undefined before the first message. */
  get seq(): number | undefined {
    return this.#seq;
  }

  /** @param from where another stream of the account is; undefined: at the beginning */
  beginAt(from: number | undefined): void {
    this.#seq = from;
    this.#newest.seq = 0;
  }

  /** A message of this command was heard. */
  reach(seq: number): void {
    this.#seq = Math.max(this.#seq ?? 0, seq);
  }

  /** Whether this is heard for the first time. @param name of what happened, within its command */
  isNew(seq: number, name: string): boolean {
    const newest = this.#newest;
    if (seq < newest.seq || (seq === newest.seq && newest.names.has(name))) return false;
    if (seq > newest.seq) newest.names.clear();
    newest.seq = seq;
    newest.names.add(name);
    return true;
  }
}
