/** What goes wrong with the disk, and when: ordered by the plan of faults, met by the next call it fits. */
import type { DiskSpace } from '@orrery/sequencer';
import type { Chance } from '../chance.ts';
import type { Timeline } from '../timeline.ts';

export class DiskFaults {
  readonly #timeline: Pick<Timeline, 'after'>;
  readonly #chance: Chance;
  /** Called when the program must die in the middle of its work. */
  onDeath: () => void = () => undefined;
  /** Calls until the program dies; undefined while it is not to. */
  deathAfterCalls: number | undefined;
  failNextWrite = false;
  failNextSync = false;
  failNextDirectorySync = false;
  /** No new block is to be had. */
  isFull = false;
  /** Milliseconds that a sync takes at least while the disk is slow. */
  slowMs = 0;
  /** A planted fault: syncs succeed and make nothing durable. */
  liesAboutSyncs = false;
  #wasShort = false;

  constructor(timeline: Pick<Timeline, 'after'>, chance: Chance) {
    this.#timeline = timeline;
    this.#chance = chance;
  }

  /** Nothing goes wrong any more. */
  heal(): void {
    this.deathAfterCalls = undefined;
    this.failNextWrite = false;
    this.failNextSync = false;
    this.failNextDirectorySync = false;
    this.isFull = false;
    this.slowMs = 0;
  }

  beforeCall(): void {
    if (this.deathAfterCalls === undefined) return;
    this.deathAfterCalls -= 1;
    if (this.deathAfterCalls >= 0) return;
    this.deathAfterCalls = undefined;
    this.onDeath();
  }

  beforeCreate(): void {
    if (this.isFull && this.#chance.oneIn(2)) throw diskError('ENOSPC');
  }

  beforeDirectorySync(): void {
    if (!this.failNextDirectorySync) return;
    this.failNextDirectorySync = false;
    throw diskError('EIO');
  }

  /** How many of the bytes are taken. A full disk takes some of them once, and then refuses. */
  beforeWrite({ bytes, beyond }: { bytes: number; beyond: number }): number {
    if (this.failNextWrite) {
      this.failNextWrite = false;
      throw diskError('EIO');
    }
    if (!this.isFull || beyond <= 0) return bytes;
    if (this.#wasShort) {
      this.#wasShort = false;
      throw diskError('ENOSPC');
    }
    this.#wasShort = true;
    return this.#chance.between(1, bytes);
  }

  freeSpace(): DiskSpace {
    return { freeBytes: this.isFull ? 1e7 : 5e8, totalBytes: 1e9 };
  }

  /** Calls back when the sync is over: fast as a rule, and now and then not. */
  afterSync(done: (failure: Error | undefined) => void): void {
    const usual = this.#chance.oneIn(50) ? this.#chance.magnitude(5, 60) : this.#chance.magnitude(0.2, 4);
    const failure = this.failNextSync ? diskError('EIO') : undefined;
    this.failNextSync = false;
    this.#timeline.after(usual + this.slowMs, () => done(failure));
  }
}

function diskError(code: 'EIO' | 'ENOSPC'): Error {
  return Object.assign(new Error(`${code}: by the plan of faults`), { code });
}
