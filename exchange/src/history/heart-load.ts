/** Whether the heart's thread is overloaded, in shared memory: it publishes, the other threads read. */
import { performance } from 'node:perf_hooks';

const LOOK_MS = 100;
/** Of its time the thread may be at work before it counts as busy. */
const BUSY_SHARE = 0.7;

export class HeartLoad {
  readonly #cell: Int32Array<SharedArrayBuffer>;

  /** @param memory of another instance, to read what it publishes */
  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#cell = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#cell.buffer;
  }

  /** Measures the thread it is called in. @returns ends it */
  measure(): () => void {
    let before = performance.eventLoopUtilization();
    const looking = setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      Atomics.store(this.#cell, 0, utilization > BUSY_SHARE ? 1 : 0);
    }, LOOK_MS).unref();
    return () => clearInterval(looking);
  }

  isBusy(): boolean {
    return Atomics.load(this.#cell, 0) === 1;
  }
}
