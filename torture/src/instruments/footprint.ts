/** What a running program takes of the machine: resident memory, and the files of its data folder. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 2 ** 20;

export interface Footprint {
  readonly residentMiB: number;
  readonly folderMiB: number;
  /** Of the embedded chain: its log and its snapshots. */
  readonly chainMiB: number;
}

export function footprintOf({ pid, dataDirectory }: { pid: number; dataDirectory: string }): Footprint {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    residentMiB: Number(kibibytes ?? 0) / 1_024,
    folderMiB: bytesIn(dataDirectory) / MIB,
    chainMiB: bytesIn(join(dataDirectory, 'chain')) / MIB,
  };
}

/** A file may go while it is looked at. */
function bytesIn(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
