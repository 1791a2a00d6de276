/** Watches how much of the volume is free. Looked at once a second, and only when a command asks. */
import type { Clock, SequencerLimits } from './options.ts';
import type { Disk } from './disk.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { Room } from './room.ts';

const LOOK_EVERY_MS = 1_000;

export interface DiskRoomOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly clock: Clock;
  readonly limits: Pick<SequencerLimits, 'minFreeRatio' | 'dayOfJournalBytes'>;
  readonly log: (line: string) => void;
}

export class DiskRoom implements Room {
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
  isFull(journal: JournalWriter): boolean {
    const now = this.#options.clock.monotonicMs();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      this.#look(journal);
    }
    return this.#isLow || this.#refused;
  }

  /** One sentence while only cancels are taken, for those who look from outside: the log has the figures. */
  shortage(journal: JournalWriter): string | undefined {
    return this.isFull(journal) ? 'the disk of the journal is almost full: only cancels are taken until there is room' : undefined;
  }

  #look(journal: JournalWriter): void {
    const { disk, directory, limits, log } = this.#options;
    let space;
    try {
      space = disk.freeSpace(directory);
    } catch (cause) {
      // What was seen last holds: history itself is in no danger, the journal writes to what it has prepared.
      if (!this.#isBlind) log(`the free space of the disk cannot be read: ${String(cause)}`);
      this.#isBlind = true;
      return;
    }
    this.#isBlind = false;
    const floor = Math.min(space.totalBytes * limits.minFreeRatio, limits.dayOfJournalBytes);
    const isLow = space.freeBytes < floor;
    const free = `${gigabytes(space.freeBytes)} of the disk are free`;
    if (isLow && !this.#isLow)
      log(
        `${free}: only cancels are taken until there are ${gigabytes(floor)}. Remove files from the volume of the data folder, or enlarge it`,
      );
    if (!isLow && this.#isLow) log(`${free}: everything is taken again`);
    this.#isLow = isLow;
    if (this.#refused && !isLow) {
      void this.#refill(journal);
    }
  }

  async #refill(journal: JournalWriter): Promise<void> {
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

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
