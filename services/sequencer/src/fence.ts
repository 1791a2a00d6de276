/**
 * One writer at a time, whatever the operating system knows of the others. Each opening of the journal takes the next epoch by creating its mark, a
 * file `epochs/<number>`, which the file system lets only one do; then it removes the marks before it. A writer whose mark is gone is deposed.
 *
 * Who opens takes its mark before it reads the journal. Who writes looks for its mark after the sync and before it acknowledges. So either the new
 * writer has read a frame of the old one, or the old one does not acknowledge it. Neither clocks nor process ids are used; the file system must be
 * coherent between the two, as a local one is.
 */
import { join } from 'node:path';
import type { Disk } from './disk.ts';

const MARK_NAME = /^[0-9]{10}$/;

/** Another process has opened the journal: this one must not acknowledge anything any more. */
export class WriterDeposed extends Error {
  override readonly name = 'WriterDeposed';

  constructor(epoch: number) {
    super(`another process has opened the journal after epoch ${epoch}: this one stops without acknowledging`);
  }
}

export class Fence {
  readonly epoch: number;
  readonly #disk: Disk;
  readonly #mark: string;

  private constructor(disk: Disk, directory: string, epoch: number) {
    this.#disk = disk;
    this.epoch = epoch;
    this.#mark = join(directory, markName(epoch));
  }

  /**
   * Takes the next epoch, above every one in the directory and above `after`.
   * @throws WriterDeposed when another process takes a later one meanwhile
   */
  static take(disk: Disk, directory: string, after = 0): Fence {
    disk.makeDirectory(directory);
    for (;;) {
      const epoch = Math.max(after, ...marksIn(disk, directory)) + 1;
      if (!disk.createExclusive(join(directory, markName(epoch)))) continue;
      disk.syncDirectory(directory);
      const marks = marksIn(disk, directory);
      for (const earlier of marks) if (earlier < epoch) disk.remove(join(directory, markName(earlier)));
      const fence = new Fence(disk, directory, epoch);
      if (marks.some((other) => other > epoch)) throw new WriterDeposed(epoch);
      return fence;
    }
  }

  /** False when another process has taken a later epoch. */
  get isHeld(): boolean {
    return this.#disk.exists(this.#mark);
  }

  /** @throws WriterDeposed when another process has taken a later epoch */
  check(): void {
    if (!this.isHeld) throw new WriterDeposed(this.epoch);
  }
}

const markName = (epoch: number): string => String(epoch).padStart(10, '0');
const marksIn = (disk: Disk, directory: string): readonly number[] =>
  disk
    .list(directory)
    .filter((name) => MARK_NAME.test(name))
    .map(Number);
