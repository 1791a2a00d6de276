/** The disk as one program sees it, with the faults that are ordered for it. */
import { dirname } from 'node:path';
import type { Disk, WritableFile, DiskSpace } from '@orrery/sequencer';
import type { Life } from '../life.ts';
import type { DiskFaults } from './disk-faults.ts';
import { emptyInode, type Inode, type Platter } from './platter.ts';

export class SimDisk implements Disk {
  readonly #platter: Platter;
  readonly #life: Life;
  readonly #faults: DiskFaults;

  constructor(parts: { platter: Platter; life: Life; faults: DiskFaults }) {
    this.#platter = parts.platter;
    this.#life = parts.life;
    this.#faults = parts.faults;
  }

  makeDirectory(path: string): void {
    this.#step();
    this.#platter.directories.add(path);
  }

  list(directory: string): readonly string[] {
    this.#step();
    const prefix = `${directory}/`;
    return [...this.#platter.names.keys()]
      .filter((path) => path.startsWith(prefix) && !path.includes('/', prefix.length))
      .map((path) => path.slice(prefix.length))
      .sort();
  }

  read(path: string): Uint8Array {
    const { bytes, length } = this.#inode(path);
    return bytes.slice(0, length);
  }

  readPart(path: string, { from, bytes: most }: { readonly from: number; readonly bytes: number }): Uint8Array {
    const { bytes, length } = this.#inode(path);
    return bytes.slice(from, Math.min(length, from + most));
  }

  size(path: string): number {
    return this.#inode(path).length;
  }

  open(path: string): WritableFile {
    return this.#writable(this.#inode(path));
  }

  create(path: string): WritableFile {
    this.#step();
    this.#faults.beforeCreate();
    const inode = emptyInode();
    this.#platter.changeNames(dirname(path), (names) => void names.set(path, inode));
    return this.#writable(inode);
  }

  createExclusive(path: string): boolean {
    this.#step();
    if (this.#platter.names.has(path)) return false;
    this.#faults.beforeCreate();
    const inode = emptyInode();
    this.#platter.changeNames(dirname(path), (names) => void names.set(path, inode));
    return true;
  }

  exists(path: string): boolean {
    this.#step();
    return this.#platter.names.has(path);
  }

  rename(from: string, to: string): void {
    this.#inode(from);
    this.#platter.changeNames(dirname(to), (names) => {
      const inode = names.get(from);
      if (inode === undefined) return;
      names.delete(from);
      names.set(to, inode);
    });
  }

  remove(path: string): void {
    this.#step();
    this.#platter.changeNames(dirname(path), (names) => void names.delete(path));
  }

  syncDirectory(path: string): void {
    this.#step();
    this.#faults.beforeDirectorySync();
    this.#platter.syncNames(path);
  }

  freeSpace(): DiskSpace {
    this.#step();
    return this.#faults.freeSpace();
  }

  #inode(path: string): Inode {
    this.#step();
    const inode = this.#platter.names.get(path);
    if (inode === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
    return inode;
  }

  /** The program may die between any two of its calls. */
  #step(): void {
    this.#life.mustBeAlive();
    this.#faults.beforeCall();
    this.#life.mustBeAlive();
  }

  #writable(inode: Inode): WritableFile {
    return {
      write: (bytes, position) => {
        this.#step();
        const taken = this.#faults.beforeWrite({ bytes: bytes.length, beyond: position + bytes.length - inode.length });
        this.#platter.write(inode, bytes.subarray(0, taken), position);
        return taken;
      },
      read: (most, position) => {
        this.#step();
        return inode.bytes.slice(position, Math.min(inode.length, position + most));
      },
      sync: () => this.#sync(inode),
      close: () => undefined,
    };
  }

  #sync(inode: Inode): Promise<void> {
    this.#step();
    const finish = this.#faults.liesAboutSyncs ? () => undefined : this.#platter.beginSync(inode);
    return new Promise((resolve, reject) => {
      this.#faults.afterSync((failure) => {
        if (failure === undefined) finish();
        else this.#platter.failSync(inode);
        if (!this.#life.isAlive) return;
        if (failure === undefined) resolve();
        else reject(failure);
      });
    });
  }
}
