/** One run of a program, from its start to its death: after that nothing of it acts any more, whatever promises it still has. */
import type { Timeline } from './timeline.ts';

export class Dead extends Error {
  override readonly name = 'Dead';
}

export class Life {
  readonly #timeline: Pick<Timeline, 'after'>;
  #isAlive = true;

  constructor(timeline: Pick<Timeline, 'after'>) {
    this.#timeline = timeline;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  end(): void {
    this.#isAlive = false;
  }

  /** As a timer of the program: it dies with it. */
  after(ms: number, act: () => void): () => void {
    return this.#timeline.after(ms, () => {
      if (this.#isAlive) act();
    });
  }

  /** Never resolves for the dead. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** @throws Dead: what a dead program does has no effect. */
  mustBeAlive(): void {
    if (!this.#isAlive) throw new Dead('the program has died');
  }
}
