import { dirname } from 'node:path';

/** All that the sequencer asks of a disk. Reads and renames are synchronous and rare; only `sync` is waited for. */
export interface Disk {
  makeDirectory(path: string): void;
  /** Names in the directory, sorted. */
  list(directory: string): readonly string[];
  read(path: string): Uint8Array;
  /** At most `bytes` bytes of the file from the place `from` on; fewer where it ends. */
  readPart(path: string, part: { readonly from: number; readonly bytes: number }): Uint8Array;
  size(path: string): number;
  /** Opens an existing file for writing in place. */
  open(path: string): WritableFile;
  /** Makes a new empty file, in place of an older one of that name. */
  create(path: string): WritableFile;
  /** Makes a new empty file and closes it; false when there is one of that name. Of several who try at once, one succeeds. */
  createExclusive(path: string): boolean;
  exists(path: string): boolean;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Makes names that were added or removed durable. */
  syncDirectory(path: string): void;
  /** Of the volume on which the path lies, for programs without privileges. */
  freeSpace(path: string): DiskSpace;
}

export interface WritableFile {
  /** Writes at a place; returns how many bytes were taken, which on a full disk may be fewer. */
  write(bytes: Uint8Array, position: number): number;
  /** At most `bytes` bytes from a place on; fewer where the file ends. */
  read(bytes: number, position: number): Uint8Array;
  /** Resolves when everything written is durable. After a rejection nothing is known about what was written. */
  sync(): Promise<void>;
  close(): void;
}

/** Makes a file that has its name only when `fill` has written it and it is durable; what was begun is removed again. */
export async function createWhole(disk: Disk, path: string, fill: (file: WritableFile) => Promise<void>): Promise<void> {
  const unfinished = `${path}.tmp`;
  const file = disk.create(unfinished);
  try {
    await fill(file);
    await file.sync();
  } catch (cause) {
    disk.remove(unfinished);
    throw cause;
  } finally {
    file.close();
  }
  disk.rename(unfinished, path);
  disk.syncDirectory(dirname(path));
}

export class DiskTookLess extends Error {
  override readonly name = 'DiskTookLess';
}

/** Writes all of `bytes`; a disk that takes nothing any more is a failure. */
export function writeWhole(file: WritableFile, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    const taken = file.write(written === 0 ? bytes : bytes.subarray(written), position + written);
    if (taken === 0) throw new DiskTookLess(`the disk took ${written} of ${bytes.length} bytes`);
    written += taken;
  }
}

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}
