/** The state of the local chain after one block, in one file: so that a start replays minutes and not months. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Hash, Hex } from 'viem';
import { writeDurablyAside } from './write-durably.ts';

export interface Snapshot {
  readonly number: number;
  readonly hash: Hash;
  /** Unix seconds of the block. */
  readonly timestamp: number;
  /** What the node dumped and loads: gzip in hex. */
  readonly state: Hex;
}

interface Head {
  readonly number: number;
  readonly hash: Hash;
  readonly timestamp: number;
  readonly crc32: number;
}

const SNAPSHOT = /^snapshot-(\d{12})\.gz$/;
const HEAD_BYTES = 256;

function snapshotName(block: number): string {
  return `snapshot-${String(block).padStart(12, '0')}.gz`;
}

/** Newest first. */
export function snapshotsIn(directory: string): readonly number[] {
  return readdirSync(directory)
    .flatMap((name) => SNAPSHOT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

export function removeSnapshotsBefore(directory: string, block: number): void {
  for (const number of snapshotsIn(directory)) {
    if (number < block) rmSync(join(directory, snapshotName(number)));
  }
}

export async function writeSnapshot(directory: string, block: Omit<Snapshot, 'state'>, state: Hex): Promise<void> {
  const body = Buffer.from(state.slice(2), 'hex');
  const head: Head = { ...block, crc32: crc32(body) };
  const path = join(directory, snapshotName(block.number));
  await writeDurablyAside(path, [Buffer.from(JSON.stringify(head).padEnd(HEAD_BYTES)), body]);
}

/** Undefined when the file is damaged: an older snapshot and a longer replay give the same chain. */
export function readSnapshot(directory: string, block: number): Snapshot | undefined {
  const bytes = readFileSync(join(directory, snapshotName(block)));
  try {
    const head = JSON.parse(bytes.toString('utf8', 0, HEAD_BYTES)) as Head;
    const body = bytes.subarray(HEAD_BYTES);
    if (crc32(body) !== head.crc32 || head.number !== block) return undefined;
    return { number: head.number, hash: head.hash, timestamp: head.timestamp, state: `0x${body.toString('hex')}` };
  } catch {
    return undefined;
  }
}
