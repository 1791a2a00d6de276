/** How far history is durable, as the heart that leads says it. */
import type { HistoryEnd } from '@orrery/sequencer';
import { type Seq, seq } from '@orrery/units';

export class HeardEnd implements HistoryEnd {
  #seq = seq(0);
  #grown = Promise.withResolvers<void>();

  /** What is durable stays durable: a later message may say less. */
  report(durable: Seq): void {
    if (durable <= this.#seq) return;
    this.#seq = durable;
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }

  seq(): Seq {
    return this.#seq;
  }

  grown(after: Seq): Promise<void> {
    return this.#seq > after ? Promise.resolve() : this.#grown.promise;
  }
}
