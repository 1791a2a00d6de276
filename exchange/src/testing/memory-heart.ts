/** For tests: the real engine behind the heart's port, without a journal. Time is what the test says. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createEngine, type Engine } from '@orrery/engine';
import { type Applied, type Command, type Heart, HeartError, type HeartStatus, type Receipt, type View } from '@orrery/protocol';
import { millis, type Seq, seq } from '@orrery/units';

export class MemoryHeart implements Heart {
  readonly history: Applied[] = [];
  /** Commands wait this long before they are applied, as for a journal that is written first. */
  delayMs = 0;
  readonly #engine: Engine = createEngine();
  readonly #waiting = new Set<() => void>();
  readonly #now: () => number;
  #stopped = false;
  #down = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  submit(command: Command): Promise<Receipt> {
    return this.delayMs === 0 ? this.#apply(command) : setTimeout(this.delayMs).then(() => this.#apply(command));
  }

  #apply(command: Command): Promise<Receipt> {
    if (this.#stopped || this.#down) {
      return Promise.reject(new HeartError({ failure: 'stopped', outcomeUnknown: false, message: 'the heart has stopped' }));
    }
    const sequenced = { seq: seq(this.history.length + 1), at: millis(this.#now()), command };
    const events = this.#engine.apply(sequenced);
    this.history.push({ ...sequenced, events });
    for (const wake of this.#waiting) wake();
    return Promise.resolve({ seq: sequenced.seq, at: sequenced.at, events });
  }

  open(): View {
    let closed = false;
    const close = (): void => {
      closed = true;
      for (const wake of this.#waiting) wake();
    };
    const at = seq(this.history.length);
    return { seq: at, facts: this.#engine.facts(), tail: this.#after(at, () => closed), close };
  }

  subscribe(after: Seq): AsyncIterable<readonly Applied[]> {
    return this.#after(after, () => false);
  }

  status(): HeartStatus {
    const at = seq(this.history.length);
    return { seq: at, at: this.history.at(-1)?.at ?? millis(this.#now()), stateHash: '', stateHashSeq: at, clockAheadMs: 0 };
  }

  end(): Promise<Seq> {
    return Promise.resolve(this.status().seq);
  }

  /** What the sequencer would submit next, because earlier commands left work over. */
  continuation(): Command | undefined {
    return this.#engine.continuation();
  }

  /** SHA-256 of the canonical state. */
  stateHash(): string {
    return createHash('sha256').update(this.#engine.encodeState()).digest('hex');
  }

  /** Every submit fails from now on, as when the program is about to die; the tails stay open. */
  fail(): void {
    this.#down = true;
  }

  recover(): void {
    this.#down = false;
  }

  /** Ends every tail. */
  stop(): void {
    this.#stopped = true;
    for (const wake of this.#waiting) wake();
  }

  async *#after(after: Seq, isClosed: () => boolean): AsyncGenerator<readonly Applied[]> {
    let next: number = after;
    for (;;) {
      if (this.#stopped || isClosed()) return;
      const batch = this.history.slice(next);
      next = this.history.length;
      if (batch.length > 0) {
        yield batch;
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}
