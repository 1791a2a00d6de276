/**
 * The history of the local chain on disk: every input of the node, in order. The node is a deterministic function of it: the same lines
 * give the same blocks with the same hashes.
 *
 * A line is a CRC-32 in hex, a space, a record in JSON. Segments hold what came after one snapshot, each of a bounded size. Everything is
 * written and synced in the thread pool: the thread that trades never waits for this disk.
 */
import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Hash, Hex } from 'viem';
import { type Segment, segmentName, segmentsIn } from './segment.ts';

export type ChainRecord =
  /** A raw transaction that the node has taken. */
  | { readonly type: 'transaction'; readonly raw: Hex }
  /** The node must mine its pool into the next block. */
  | { readonly type: 'mine'; readonly number: number; readonly timestamp: number }
  /** What came of it, to compare with when it is replayed. */
  | { readonly type: 'block'; readonly number: number; readonly hash: Hash };

const SEGMENT_BYTES = 16 * 1024 * 1024;

/** Removes the segments that begin before the given block: a snapshot covers them. */
export function removeSegmentsBefore(directory: string, block: number): void {
  for (const segment of segmentsIn(directory)) {
    if (segment.after < block) rmSync(join(directory, segmentName(segment)));
  }
}

export function parseLine(line: string): ChainRecord | undefined {
  const json = line.slice(9);
  return line.slice(0, 9) === `${checksum(json)} ` ? (JSON.parse(json) as ChainRecord) : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

interface LogFile {
  readonly file: FileHandle;
  readonly segment: Segment;
  length: number;
}

export interface ChainLogOptions {
  readonly directory: string;
  /** A segment that would grow beyond it is followed by the next. */
  readonly segmentBytes?: number;
}

/**
 * The segment being written, by one caller at a time. Any failure to write ends the chain: what the disk holds is then unknown.
 */
export class ChainLog {
  readonly #directory: string;
  readonly #segmentBytes: number;
  #current: LogFile;
  /** Of the segments before the current one, after the same snapshot. */
  #bytesBefore = 0;

  private constructor({ directory, segmentBytes = SEGMENT_BYTES }: ChainLogOptions, current: LogFile) {
    this.#directory = directory;
    this.#segmentBytes = segmentBytes;
    this.#current = current;
  }

  /** Begins the first segment after a snapshot. */
  static async create(options: ChainLogOptions, after: number): Promise<ChainLog> {
    return new ChainLog(options, await createFile(options.directory, { after, part: 0 }));
  }

  /** Goes on behind the last whole line. */
  static async reopen(options: ChainLogOptions, { segment, length }: { segment: Segment; length: number }): Promise<ChainLog> {
    const path = join(options.directory, segmentName(segment));
    const torn = await open(path, 'r+');
    await torn.truncate(length);
    await torn.close();
    return new ChainLog(options, { file: await open(path, 'a'), segment, length });
  }

  /** Written since the snapshot, or since the log was opened again. */
  get bytes(): number {
    return this.#bytesBefore + this.#current.length;
  }

  /** On disk when it resolves. */
  async append(records: readonly ChainRecord[]): Promise<void> {
    await this.write(records);
    await this.#current.file.datasync();
  }

  /** On disk with the next append: for records that the records before them reproduce. */
  async write(records: readonly ChainRecord[]): Promise<void> {
    for (const record of records) {
      const json = JSON.stringify(record);
      await this.#writeLine(Buffer.from(`${checksum(json)} ${json}\n`));
    }
  }

  async close(): Promise<void> {
    await this.#current.file.datasync();
    await this.#current.file.close();
  }

  async #writeLine(line: Buffer): Promise<void> {
    if (this.#current.length > 0 && this.#current.length + line.length > this.#segmentBytes) await this.#beginNext();
    await this.#current.file.appendFile(line);
    this.#current.length += line.length;
  }

  /** The old segment is whole on disk before there is a next one: only the newest can have a torn end. */
  async #beginNext(): Promise<void> {
    const { after, part } = this.#current.segment;
    await this.close();
    this.#bytesBefore += this.#current.length;
    this.#current = await createFile(this.#directory, { after, part: part + 1 });
  }
}

async function createFile(directory: string, segment: Segment): Promise<LogFile> {
  const path = join(directory, segmentName(segment));
  const file = await open(path, 'w');
  await file.sync();
  // A new name is on disk only when its folder is.
  const folder = await open(dirname(path), 'r');
  await folder.sync();
  await folder.close();
  return { file, segment, length: 0 };
}
