/** The disk of this machine with faults to order. */
import type { Disk, WritableFile } from '../disk.ts';
import { nodeDisk } from '../node-disk.ts';

export class FaultyDisk implements Disk {
  /** Thrown by the next writes or syncs of segments, until taken away. */
  writeFault: Error | undefined;
  syncFault: Error | undefined;
  /** Thrown when a file is to be made. */
  createFault: Error | undefined;
  /** Bytes that a write takes at most. */
  shortWrite = Number.POSITIVE_INFINITY;
  /** The part of the volume that is free. */
  free = 1;
  /** Syncs wait for it, so that a test decides when a group becomes durable. */
  gate: Promise<void> = Promise.resolve();
  syncs = 0;
  /** Begun before the next write to a segment, which is done when it has ended: as if the process stood still between two calls. */
  beforeWrite: (() => Promise<void>) | undefined;

  #delayed: Promise<void> = Promise.resolve();

  readonly makeDirectory: Disk['makeDirectory'] = (path) => nodeDisk.makeDirectory(path);
  readonly list: Disk['list'] = (path) => nodeDisk.list(path);
  readonly read: Disk['read'] = (path) => nodeDisk.read(path);
  readonly readPart: Disk['readPart'] = (path, part) => nodeDisk.readPart(path, part);
  readonly size: Disk['size'] = (path) => nodeDisk.size(path);
  readonly createExclusive: Disk['createExclusive'] = (path) => nodeDisk.createExclusive(path);
  readonly exists: Disk['exists'] = (path) => nodeDisk.exists(path);
  readonly rename: Disk['rename'] = (from, to) => nodeDisk.rename(from, to);
  readonly remove: Disk['remove'] = (path) => nodeDisk.remove(path);
  readonly syncDirectory: Disk['syncDirectory'] = (path) => nodeDisk.syncDirectory(path);
  readonly freeSpace: Disk['freeSpace'] = () => ({ freeBytes: this.free * 1e9, totalBytes: 1e9 });

  open(path: string): WritableFile {
    return this.#faulty(nodeDisk.open(path));
  }

  create(path: string): WritableFile {
    if (this.createFault !== undefined) throw this.createFault;
    return this.#faulty(nodeDisk.create(path));
  }

  #faulty(file: WritableFile): WritableFile {
    return {
      write: (bytes, position) => {
        if (this.beforeWrite !== undefined) {
          const action = this.beforeWrite;
          this.beforeWrite = undefined;
          this.#delayed = action().then(() => void file.write(bytes, position));
          return bytes.length;
        }
        if (this.shortWrite < bytes.length) {
          const taken = file.write(bytes.subarray(0, this.shortWrite), position);
          this.shortWrite -= taken;
          return taken;
        }
        if (this.writeFault !== undefined) throw this.writeFault;
        return file.write(bytes, position);
      },
      read: (bytes, position) => file.read(bytes, position),
      sync: async () => {
        this.syncs += 1;
        await this.gate;
        await this.#delayed;
        if (this.syncFault !== undefined) throw this.syncFault;
        await file.sync();
      },
      close: () => file.close(),
    };
  }
}

export function diskError(code: 'EIO' | 'ENOSPC'): Error {
  return Object.assign(new Error(`${code}: planted`), { code });
}
