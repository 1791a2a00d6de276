/** Commands that are read from history and not known to be written: they are read ahead, so that a process that takes over writes at once. */
import type { Applied } from '@orrery/protocol';
import type { Seq } from '@orrery/units';

/** Nothing more is read while this many wait. */
const MOST = 8_192;

export class Unwritten {
  readonly #source: AsyncIterator<readonly Applied[]>;
  readonly #onRead: (applied: Applied) => void;
  #commands: readonly Applied[] = [];
  /** The last command that is forgotten. */
  #after = 0;
  #isEnded = false;
  #failure: unknown;
  /** Resolved when something was read or forgotten, or reading has ended. */
  #changed = Promise.withResolvers<void>();

  /** @param onRead each command once, before it is to be written */
  constructor(source: AsyncIterable<readonly Applied[]>, onRead: (applied: Applied) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onRead = onRead;
    void this.#read();
  }

  /** Those that wait, at least one; undefined when history ends. @throws what reading failed with */
  async next(): Promise<readonly Applied[] | undefined> {
    for (;;) {
      this.check();
      if (this.#commands.length > 0) return this.#commands;
      if (this.#isEnded) return undefined;
      await this.#changed.promise;
    }
  }

  /** @throws what reading failed with */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Everything up to `written` is written. @throws Error when what comes after it was forgotten already: a database that lost its newest rows */
  forgetUpTo(written: Seq): void {
    if (written < this.#after) throw new Error(`history in SQL ends with command ${written}, and was written up to ${this.#after} before`);
    this.#after = written;
    this.#forget();
    this.#change();
  }

  end(): void {
    this.#isEnded = true;
    this.#change();
    // It may wait for a command that never arrives, so its end is not awaited.
    void this.#source.return?.();
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isEnded) {
        if (this.#commands.length >= MOST) {
          await this.#changed.promise;
          continue;
        }
        const next = await this.#source.next();
        if (next.done === true) break;
        for (const applied of next.value) this.#onRead(applied);
        this.#commands = this.#commands.length === 0 ? next.value : [...this.#commands, ...next.value];
        this.#forget();
        this.#change();
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#isEnded = true;
    this.#change();
  }

  #forget(): void {
    const { length } = this.#commands;
    if (length === 0 || (this.#commands[0]?.seq ?? 0) > this.#after) return;
    const first = this.#commands.findIndex(({ seq }) => seq > this.#after);
    this.#commands = first === -1 ? [] : this.#commands.slice(first);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
