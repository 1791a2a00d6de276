/** The newest durable command, for readers that follow the folder by themselves. */
import type { HistoryEnd } from '@orrery/sequencer';
import { seq, type Seq } from '@orrery/units';

export class Durable implements HistoryEnd {
  #seq = seq(0);
  #bell = Promise.withResolvers<void>();

  report(at: Seq): void {
    this.#seq = at;
    this.#bell.resolve();
    this.#bell = Promise.withResolvers();
  }

  seq(): Seq {
    return this.#seq;
  }

  grown(after: Seq): Promise<void> {
    return this.#seq > after ? Promise.resolve() : this.#bell.promise;
  }
}
