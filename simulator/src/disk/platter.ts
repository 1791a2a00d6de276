/**
 * A disk that loses what was not synced. Files survive the death of a program, since the kernel has them; when the power fails
 * each sector that was written and not synced is as it was or as it should be, by chance, and of names that were changed and not
 * synced some of the latest are forgotten.
 */
import type { Chance } from '../chance.ts';

export const SECTOR = 512;

export interface Inode {
  /** As programs see it. */
  bytes: Uint8Array;
  length: number;
  /** What the power leaves. */
  durable: Uint8Array;
  durableLength: number;
  /** Sectors written since they were last made durable; the number distinguishes one write from the next. */
  readonly dirty: Map<number, number>;
}

interface NameChange {
  readonly directory: string;
  readonly apply: (names: Map<string, Inode>) => void;
}

const EMPTY = new Uint8Array(0);
export const emptyInode = (): Inode => ({ bytes: EMPTY, length: 0, durable: EMPTY, durableLength: 0, dirty: new Map() });

export class Platter {
  readonly directories = new Set<string>();
  names = new Map<string, Inode>();
  #durableNames = new Map<string, Inode>();
  #changes: NameChange[] = [];
  #writing = 0;
  /** Counts power failures: a sync that was under way then makes nothing durable. */
  #powerFailures = 0;

  changeNames(directory: string, apply: (names: Map<string, Inode>) => void): void {
    apply(this.names);
    this.#changes.push({ directory, apply });
  }

  syncNames(directory: string): void {
    for (const change of this.#changes) if (change.directory === directory) change.apply(this.#durableNames);
    this.#changes = this.#changes.filter((change) => change.directory !== directory);
  }

  write(inode: Inode, bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    inode.bytes = grown(inode.bytes, end);
    inode.bytes.set(bytes, position);
    inode.length = Math.max(inode.length, end);
    this.#writing += 1;
    for (let sector = Math.floor(position / SECTOR); sector * SECTOR < end; sector += 1) inode.dirty.set(sector, this.#writing);
  }

  /** What was written until now becomes durable when the answer is called. */
  beginSync(inode: Inode): () => void {
    const { length } = inode;
    const { bytes } = inode;
    const sectors = [...inode.dirty].map(([sector, writing]) => ({
      sector,
      writing,
      content: bytes.slice(sector * SECTOR, (sector + 1) * SECTOR),
    }));
    const powerFailures = this.#powerFailures;
    return () => {
      if (powerFailures !== this.#powerFailures) return;
      inode.durable = grown(inode.durable, length);
      for (const { sector, writing, content } of sectors) {
        inode.durable.set(content.subarray(0, Math.max(0, inode.durable.length - sector * SECTOR)), sector * SECTOR);
        if (inode.dirty.get(sector) === writing) inode.dirty.delete(sector);
      }
      inode.durableLength = Math.max(inode.durableLength, length);
    };
  }

  /** The kernel could not write, says so once, and takes what it could not write for written. */
  failSync(inode: Inode): void {
    inode.dirty.clear();
  }

  /** @param kept of the sectors that were not synced, the part that reached the disk all the same: 0 to 1 */
  failPower(chance: Chance, kept: number): void {
    this.#powerFailures += 1;
    this.#forgetNames(chance);
    for (const inode of new Set(this.names.values())) losesSectors(inode, chance, kept);
  }

  /** Of each directory some of the latest changes, in their order: a journaling file system keeps the earlier ones first. */
  #forgetNames(chance: Chance): void {
    for (const directory of this.directories) {
      const changes = this.#changes.filter((change) => change.directory === directory);
      for (const change of changes.slice(0, chance.below(changes.length + 1))) change.apply(this.#durableNames);
    }
    this.#changes = [];
    this.names = new Map(this.#durableNames);
  }
}

function losesSectors(inode: Inode, chance: Chance, kept: number): void {
  let { durableLength } = inode;
  for (const sector of inode.dirty.keys()) {
    if (!chance.happens(kept)) continue;
    const end = Math.min((sector + 1) * SECTOR, inode.length);
    inode.durable = grown(inode.durable, end);
    inode.durable.set(inode.bytes.subarray(sector * SECTOR, end), sector * SECTOR);
    durableLength = Math.max(durableLength, end);
  }
  inode.dirty.clear();
  inode.durableLength = durableLength;
  inode.length = durableLength;
  inode.bytes = inode.durable.slice(0, durableLength);
}

function grown(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= length) return bytes;
  const larger = new Uint8Array(Math.max(length, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
