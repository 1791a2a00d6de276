/** The newest durable sequence in shared memory: the heart's thread publishes it, the other threads wait for it to grow. */
import type { HistoryEnd } from '@orrery/sequencer';
import { type Seq, seq } from '@orrery/units';

export class DurableSeq implements HistoryEnd {
  readonly #cell: BigInt64Array<SharedArrayBuffer>;

  /** @param memory of another instance, to read what it publishes */
  constructor(memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.#cell = new BigInt64Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#cell.buffer;
  }

  report(durable: Seq): void {
    Atomics.store(this.#cell, 0, BigInt(durable));
    Atomics.notify(this.#cell, 0);
  }

  seq(): Seq {
    return seq(Number(Atomics.load(this.#cell, 0)));
  }

  async grown(after: Seq): Promise<void> {
    await Atomics.waitAsync(this.#cell, 0, BigInt(after)).value;
  }
}
