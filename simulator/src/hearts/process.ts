/** One program of several, on a machine whose wall clock is wrong: it may be killed, or paused and continued, and nothing of it acts meanwhile. */
import type { Timer } from '@orrery/foundation';
import { Life } from '../life.ts';
import type { Timeline } from '../timeline.ts';

/** Where true time begins, in unix milliseconds. */
const BEGINNING = 1_795_000_000_000;

export interface Skew {
  /** By which the wall clock is ahead at the beginning, in milliseconds. */
  readonly aheadMs: number;
  /** By which it goes too fast, in millionths. */
  readonly fastPpm: number;
}

export class Machine {
  readonly name: string;
  readonly #timeline: Timeline;
  readonly #skew: Skew;
  /** What jumps have added, in milliseconds. */
  jumpedMs = 0;

  constructor(name: string, timeline: Timeline, skew: Skew) {
    this.name = name;
    this.#timeline = timeline;
    this.#skew = skew;
  }

  readonly wallMs = (): number => {
    const { aheadMs, fastPpm } = this.#skew;
    return Math.floor(BEGINNING + this.#timeline.now * (1 + fastPpm / 1e6) + aheadMs + this.jumpedMs);
  };
}

export class SimProcess {
  readonly machine: Machine;
  /** No other process has the same, nor had. */
  readonly name: string;
  readonly life: Life;
  readonly #timeline: Timeline;
  readonly #endings: (() => void)[] = [];
  #isPaused = false;
  #waiting: (() => void)[] = [];

  constructor(machine: Machine, timeline: Timeline, number: number) {
    this.machine = machine;
    this.name = `${machine.name}/${number}`;
    this.#timeline = timeline;
    this.life = new Life(this);
  }

  get isAlive(): boolean {
    return this.life.isAlive;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  readonly monotonicMs = (): number => this.#timeline.now;

  readonly timer: Timer = (act, ms) => this.after(ms, act);

  /** What comes due while the process is paused comes when it is continued, and never when it is dead. */
  after(ms: number, act: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#timeline.after(ms, () => {
      this.enter(() => {
        if (!isCancelled) act();
      });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Something reaches it from outside, now. */
  enter(act: () => void): void {
    if (!this.isAlive) return;
    if (this.#isPaused) this.#waiting.push(act);
    else act();
  }

  pause(): void {
    this.#isPaused = true;
  }

  continue(): void {
    this.#isPaused = false;
    for (const act of this.#waiting.splice(0)) this.#timeline.after(0, () => this.enter(act));
  }

  /** Called when the process ends: others learn of it by their connections. */
  onEnd(act: () => void): void {
    this.#endings.push(act);
  }

  end(): void {
    if (!this.isAlive) return;
    this.life.end();
    this.#waiting = [];
    for (const act of this.#endings) act();
  }
}
