/** The disk of this machine. */
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { Disk, WritableFile } from './disk.ts';

const dataSync = promisify(fdatasync);

export const nodeDisk: Disk = {
  makeDirectory: (path) => void mkdirSync(path, { recursive: true }),
  list: (directory) => readdirSync(directory).sort(),
  read: (path) => readFileSync(path),
  readPart(path, { from, bytes }) {
    const descriptor = openSync(path, 'r');
    try {
      return readAt(descriptor, bytes, from);
    } finally {
      closeSync(descriptor);
    }
  },
  size: (path) => statSync(path).size,
  open: (path) => writable(openSync(path, 'r+')),
  create: (path) => writable(openSync(path, 'w', 0o600)),
  createExclusive(path) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return true;
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
      throw cause;
    }
  },
  exists: existsSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncDirectory(path) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  freeSpace(path) {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
};

function writable(descriptor: number): WritableFile {
  return {
    // Into the page cache: microseconds, and the next group gathers while `sync` waits for the disk itself.
    write: (bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
    read: (bytes, position) => readAt(descriptor, bytes, position),
    sync: () => dataSync(descriptor),
    close: () => closeSync(descriptor),
  };
}

function readAt(descriptor: number, bytes: number, position: number): Uint8Array {
  const part = Buffer.allocUnsafe(bytes);
  return part.subarray(0, readSync(descriptor, part, 0, bytes, position));
}
