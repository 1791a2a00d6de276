/**
 * Files of zeros that will be segments: their blocks are allocated and synced before they are needed, so that a group costs one
 * data sync and no change of metadata, and so that a full disk is noticed long before it hurts.
 */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWhole, writeWhole } from './disk.ts';
import type { Disk } from './disk.ts';

const CHUNK = 1 << 20;

export interface SpareOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly name: string;
  readonly size: number;
}

/** One prepared file. `take` gives it away; `prepare` makes the next. */
export class Spare {
  readonly #options: SpareOptions;
  readonly #path: string;
  #ready = false;
  #preparing: Promise<void> | undefined;

  constructor(options: SpareOptions) {
    this.#options = options;
    this.#path = join(options.directory, options.name);
    // One of another size was prepared under other options: it is made again.
    this.#ready = options.disk.list(options.directory).includes(options.name) && options.disk.size(this.#path) === options.size;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get size(): number {
    return this.#options.size;
  }

  /** Rejects when the disk has no room for it; what was begun is removed again. */
  prepare(): Promise<void> {
    if (this.#ready) return Promise.resolve();
    this.#preparing ??= this.#make().finally(() => {
      this.#preparing = undefined;
    });
    return this.#preparing;
  }

  /** Resolves when nothing is being prepared any more. */
  async settled(): Promise<void> {
    await this.#preparing?.catch(() => undefined);
  }

  /** Gives the file its name as a segment. */
  take(path: string): void {
    this.#options.disk.rename(this.#path, path);
    this.#ready = false;
  }

  async #make(): Promise<void> {
    const { disk, size } = this.#options;
    await createWhole(disk, this.#path, async (file) => {
      const zeros = new Uint8Array(Math.min(CHUNK, size));
      for (let position = 0; position < size; position += zeros.length) {
        writeWhole(file, zeros.subarray(0, Math.min(zeros.length, size - position)), position);
        if (position + zeros.length < size) await nextTurn();
      }
    });
    this.#ready = true;
  }
}
