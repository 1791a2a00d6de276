/**
 * The history of the local chain on disk: every input of the node, in order, each line on disk before the node sees it.
 * The node is a deterministic function of it: the same lines give the same blocks with the same hashes.
 *
 * A line is a CRC-32 in hex, a space, a record in JSON. A segment holds what came after one snapshot.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Hash, Hex } from 'viem';
import { StartError } from '../../start-error.ts';

export type ChainRecord =
  /** A raw transaction is handed to the node, which may refuse it. */
  | { readonly type: 'transaction'; readonly raw: Hex }
  /** The node must mine its pool into the next block. */
  | { readonly type: 'mine'; readonly number: number; readonly timestamp: number }
  /** What came of it, to compare with when it is replayed. */
  | { readonly type: 'block'; readonly number: number; readonly hash: Hash };

const SEGMENT = /^after-(\d{12})\.log$/;

export function segmentName(afterBlock: number): string {
  return `after-${String(afterBlock).padStart(12, '0')}.log`;
}

/** The block numbers after which segments begin, oldest first. */
export function segmentsIn(directory: string): readonly number[] {
  return readdirSync(directory)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Removes the segments that begin before the given block: a snapshot covers them. */
export function removeSegmentsBefore(directory: string, block: number): void {
  for (const after of segmentsIn(directory)) {
    if (after < block) rmSync(join(directory, segmentName(after)));
  }
}

export interface ReadSegment {
  readonly records: readonly ChainRecord[];
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
}

/**
 * A line that was being written when the power went is cut off by its absence of a whole successor.
 * @throws StartError when a damaged line is followed by a whole one, or in a segment that is not the newest.
 */
export function readSegment(path: string, place: 'newest' | 'older'): ReadSegment {
  const bytes = readFileSync(path);
  const records: ChainRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    const record = end < 0 ? undefined : parseLine(bytes.toString('utf8', start, end));
    if (record === undefined) {
      if (place === 'older' || hasWholeLineAfter(bytes, start)) {
        throw new StartError(`The local chain's log ${path} is damaged at byte ${start}: restore the file or remove the chain folder.`);
      }
      break;
    }
    records.push(record);
    start = end + 1;
  }
  return { records, length: start };
}

function hasWholeLineAfter(bytes: Buffer, start: number): boolean {
  for (let from = bytes.indexOf(0x0a, start) + 1; from > 0 && from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0) return false;
    if (parseLine(bytes.toString('utf8', from, end)) !== undefined) return true;
    from = end + 1;
  }
  return false;
}

function parseLine(line: string): ChainRecord | undefined {
  const json = line.slice(9);
  return line.slice(0, 9) === `${checksum(json)} ` ? (JSON.parse(json) as ChainRecord) : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The segment being written. Any failure to write ends the chain: what the disk holds is then unknown. */
export class ChainLog {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  static create(path: string): ChainLog {
    const log = new ChainLog(openSync(path, 'w'));
    fsyncSync(log.#file);
    return log;
  }

  /** Goes on behind the last whole line. */
  static reopen(path: string, length: number): ChainLog {
    const file = openSync(path, 'r+');
    ftruncateSync(file, length);
    closeSync(file);
    return new ChainLog(openSync(path, 'a'));
  }

  /** On disk when it returns. */
  append(records: readonly ChainRecord[]): void {
    this.write(records);
    fsyncSync(this.#file);
  }

  /** On disk with the next append: for records that the records before them reproduce. */
  write(records: readonly ChainRecord[]): void {
    const lines = records.map((record) => {
      const json = JSON.stringify(record);
      return `${checksum(json)} ${json}\n`;
    });
    const bytes = Buffer.from(lines.join(''));
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#file, bytes, written);
  }

  close(): void {
    closeSync(this.#file);
  }
}
