/** Watches how much of the volume is free. Looked at once a second, and only when a command asks. */
import type { Clock } from './options.ts';
import type { Disk } from './disk.ts';
import type { Journal } from './journal.ts';

const LOOK_EVERY_MS = 1_000;

export interface DiskRoomOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly clock: Clock;
  readonly minFreeRatio: number;
  readonly log: (line: string) => void;
}

export class DiskRoom {
  readonly #options: DiskRoomOptions;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isLow = false;
  /** The last look failed. */
  #isBlind = false;
  /** A file could not be prepared, whatever the volume says is free. */
  #refused = false;

  constructor(options: DiskRoomOptions) {
    this.#options = options;
  }

  readonly onNoRoom = (cause: unknown): void => {
    if (!this.#refused) this.#options.log(`the disk gave no room for the journal, only cancels are taken: ${String(cause)}`);
    this.#refused = true;
  };

  /** Whether only cancels may be taken now. */
  isFull(journal: Journal): boolean {
    const now = this.#options.clock.monotonicMs();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      this.#look(journal);
    }
    return this.#isLow || this.#refused;
  }

  #look(journal: Journal): void {
    const { disk, directory, minFreeRatio, log } = this.#options;
    let free;
    try {
      free = disk.freeRatio(directory);
    } catch (cause) {
      // What was seen last holds: history itself is in no danger, the journal writes to what it has prepared.
      if (!this.#isBlind) log(`how much of the disk is free can not be told: ${String(cause)}`);
      this.#isBlind = true;
      return;
    }
    this.#isBlind = false;
    const isLow = free < minFreeRatio;
    if (isLow !== this.#isLow)
      log(`${(free * 100).toFixed(1)} % of the disk is free: ${isLow ? 'only cancels are taken' : 'everything is taken again'}`);
    this.#isLow = isLow;
    if (this.#refused && !isLow) {
      void this.#refill(journal);
    }
  }

  async #refill(journal: Journal): Promise<void> {
    try {
      await journal.refill();
    } catch {
      // Still no room: the next look tries again.
      return;
    }
    this.#refused = false;
    this.#options.log('the disk has room for the journal again');
  }
}
