/** What was started is stopped in the reverse order, each part once, whatever the others do. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<void> | void;
}

export class Closing {
  readonly #started: Stoppable[] = [];
  readonly #onTrouble: (part: string, error: unknown) => void;
  #done: Promise<void> | undefined;

  constructor(onTrouble: (part: string, error: unknown) => void) {
    this.#onTrouble = onTrouble;
  }

  /** A part that finishes starting after the stop began is stopped at once. */
  add(part: Stoppable): void {
    this.#started.push(part);
    if (this.#done !== undefined) this.#done = this.#done.then(() => this.#stopAll());
  }

  async run(): Promise<void> {
    this.#done ??= this.#stopAll();
    let waitedFor: Promise<void> | undefined;
    while (waitedFor !== this.#done) {
      waitedFor = this.#done;
      await waitedFor;
    }
  }

  async #stopAll(): Promise<void> {
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        this.#onTrouble(part.name, error);
      }
    }
  }
}
