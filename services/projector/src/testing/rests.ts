/** For tests: time that passes by the word of a test, one rest of a projector at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemTimer, type Timer } from '@orrery/foundation';

export class Rests {
  #act: (() => void) | undefined;
  #isReal = false;

  readonly timer: Timer = (act, ms) => {
    if (this.#isReal) return systemTimer(act, ms);
    this.#act = act;
    return () => (this.#act = undefined);
  };

  /** Resolves when the projector rests. */
  async begun(): Promise<void> {
    while (this.#act === undefined) await nextTurn();
  }

  /** Ends the rest; resolves when the projector has nothing more to do. */
  async end(): Promise<void> {
    await this.begun();
    const act = this.#act;
    this.#act = undefined;
    act?.();
    await nextTurn();
  }

  /** From here on time passes by the clock; a rest that has begun is over. */
  async free(): Promise<void> {
    this.#isReal = true;
    await this.end();
  }
}
