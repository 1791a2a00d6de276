/** The writing end of history: appends one frame at a time and answers when it is durable. Any fault is final: no sync is ever tried again. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '@orrery/units';
import { createWhole, DiskTookLess, writeWhole } from './disk.ts';
import type { Disk, WritableFile } from './disk.ts';
import type { Fence } from './fence.ts';
import { encodeSegmentHeader, FRAME_HEADER_SIZE, frameHash, isZero, SEGMENT_HEADER_SIZE } from './frame.ts';
import type { FrameLink } from './frame.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { JournalEnd } from './journal-walk.ts';
import { segmentFiles, segmentName } from './segments.ts';
import { Spare } from './spare.ts';

export interface JournalOptions {
  readonly disk: Disk;
  readonly directory: string;
  /** Proves that no other process writes. */
  readonly fence: Fence;
  readonly segmentBytes: number;
  readonly reserveBytes: number;
  /** Called when no new file could be prepared: history goes on in the reserve. */
  readonly onNoRoom: (cause: unknown) => void;
}

interface OpenSegment {
  readonly path: string;
  readonly file: WritableFile;
  readonly size: number;
  offset: number;
}

type LastSegment = NonNullable<JournalEnd['last']>;

export class Journal implements JournalWriter {
  readonly #options: JournalOptions;
  readonly #spare: Spare;
  readonly #reserve: Spare;
  #segment: OpenSegment | undefined;
  /** The last segment of the earlier writer, until this one has a copy of it. */
  #uncopied: LastSegment | undefined;
  #copying: Promise<void> | undefined;
  /** Of the last frame. */
  #link: FrameLink;
  #appending = false;

  private constructor(options: JournalOptions, { link, last }: JournalEnd) {
    const { disk, directory, segmentBytes, reserveBytes, fence } = options;
    this.#options = options;
    this.#uncopied = last;
    this.#link = { ...link, epoch: fence.epoch };
    this.#spare = new Spare({ disk, directory, name: `spare.${fence.epoch}`, size: segmentBytes });
    this.#reserve = new Spare({ disk, directory, name: `reserve.${fence.epoch}`, size: reserveBytes });
  }

  /**
   * Goes on where `end` says that history stops, in a file of its own: the last segment is copied without what lies behind the end, and the copy has this epoch
   * in its name. So a deposed writer writes to a file that nobody reads. What an earlier process wrote and could not sync may be in the kernel's memory
   * alone, taken for written: the copy is synced, which proves it. A disk without room for the copy is opened all the same: the copy is made
   * before the first frame, or when there is room again.
   */
  static async open(options: JournalOptions, end: JournalEnd): Promise<Journal> {
    takeOverPrepared(options);
    const journal = new Journal(options, end);
    if (end.last !== undefined) await journal.#copyLast().catch((cause: unknown) => journal.#openWithoutCopy(cause));
    await journal.#spare.prepare().catch(journal.#onNoRoom);
    await journal.#reserve.prepare().catch(journal.#onNoRoom);
    return journal;
  }

  /** What was read must be durable before anybody sees it, copied or not. */
  async #openWithoutCopy(cause: unknown): Promise<void> {
    const last = this.#uncopied;
    if (last === undefined || !isOutOfSpace(cause)) throw cause;
    const file = this.#options.disk.open(last.path);
    try {
      await file.sync();
    } finally {
      file.close();
    }
    this.#onNoRoom(cause);
  }

  /** Does nothing when the last segment of the earlier writer is copied already. */
  async #copyLast(): Promise<void> {
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined;
    });
    await this.#copying;
  }

  async #copy(): Promise<void> {
    const last = this.#uncopied;
    if (last === undefined) return;
    const { disk, directory, fence } = this.#options;
    const { firstSeq, offset, isOldFormat } = last;
    const own = join(directory, segmentName(firstSeq, fence.epoch));
    const size = await this.#writeCopy(own, last);
    fence.check();
    for (const file of segmentFiles(disk, directory)) {
      if (file.firstSeq === firstSeq && file.epoch < fence.epoch) disk.remove(file.path);
    }
    this.#segment = {
      path: own,
      file: disk.open(own),
      // A segment of the old format is not gone on with: the next frame begins a new one.
      size: isOldFormat ? offset : size,
      offset: offset === 0 ? SEGMENT_HEADER_SIZE : offset,
    };
    this.#uncopied = undefined;
  }

  /** @returns the size of the file, which is larger than the original where only the reserve had room for it. */
  async #writeCopy(own: string, { path, firstSeq, offset, size, isOldFormat }: LastSegment): Promise<number> {
    const { disk, directory } = this.#options;
    const head = offset === 0 ? encodeSegmentHeader(firstSeq, this.#link) : disk.read(path).subarray(0, offset);
    const end = isOldFormat ? offset : Math.max(size, SEGMENT_HEADER_SIZE);
    try {
      await createWhole(disk, own, async (file) => {
        writeWhole(file, head, 0);
        await fillWithZeros(file, { from: head.length, to: end });
      });
      return end;
    } catch (cause) {
      if (!isOutOfSpace(cause) || isOldFormat || !this.#reserve.ready || this.#reserve.size < end) throw cause;
    }
    const unfinished = `${own}.tmp`;
    this.#reserve.take(unfinished);
    const file = disk.open(unfinished);
    try {
      writeWhole(file, head, 0);
      await file.sync();
    } finally {
      file.close();
    }
    disk.rename(unfinished, own);
    disk.syncDirectory(directory);
    return this.#reserve.size;
  }

  /** What the next frame carries. */
  get link(): FrameLink {
    return this.#link;
  }

  /**
   * Resolves when the frame is durable and this process is still the only writer.
   * @param bodyEnd where the bytes of the frame end; zeros fill it up
   * @throws WriterDeposed: then nothing of it may be acknowledged
   */
  async append(frame: Uint8Array, { firstSeq, bodyEnd }: { firstSeq: number; bodyEnd: number }): Promise<void> {
    assert(!this.#appending, 'one frame is appended at a time');
    assert(frame.length <= this.largestFrame, 'a frame fits into a segment');
    this.#appending = true;
    const segment = await this.#segmentFor(frame, firstSeq);
    this.#checkFence(segment);
    writeWhole(segment.file, frame, segment.offset);
    const synced = segment.file.sync();
    // While the disk works.
    const previous = frameHash(frame, { offset: 0, bodyEnd });
    await synced;
    this.#options.fence.check();
    segment.offset += frame.length;
    this.#link = { epoch: this.#link.epoch, previous };
    this.#appending = false;
  }

  /** No other process has taken a later epoch, and nothing stands where the frame goes. */
  #checkFence({ path, file, offset }: OpenSegment): void {
    this.#options.fence.check();
    const there = file.read(FRAME_HEADER_SIZE, offset);
    if (!isZero(there, 0, there.length)) throw new Error(`something stands in ${path} at offset ${offset}, where the next frame goes`);
  }

  get largestFrame(): number {
    return Math.min(this.#options.segmentBytes, this.#options.reserveBytes) - SEGMENT_HEADER_SIZE;
  }

  /** Prepares what was used up, when there is room again. Rejects while there is none. */
  async refill(): Promise<void> {
    await this.#copyLast();
    await this.#spare.prepare();
    await this.#reserve.prepare();
  }

  async close(): Promise<void> {
    await this.#copying?.catch(() => undefined);
    await this.#spare.settled();
    await this.#reserve.settled();
    this.#segment?.file.close();
    this.#segment = undefined;
  }

  async #segmentFor(frame: Uint8Array, firstSeq: number): Promise<OpenSegment> {
    if (this.#uncopied !== undefined) await this.#copyLast();
    const current = this.#segment;
    if (current !== undefined && current.offset + frame.length <= current.size) return current;
    this.#segment = undefined;
    current?.file.close();
    const spare = await this.#nextSpare();
    this.#options.fence.check();
    const path = join(this.#options.directory, segmentName(firstSeq, this.#options.fence.epoch));
    spare.take(path);
    const segment = { path, file: this.#options.disk.open(path), size: spare.size, offset: 0 };
    this.#segment = segment;
    this.#writeHeader(segment, firstSeq);
    // Before the first frame: a torn header then proves that nothing stands behind it.
    await segment.file.sync();
    this.#options.disk.syncDirectory(this.#options.directory);
    this.#spare.prepare().catch(this.#onNoRoom);
    return segment;
  }

  /** The next writer removes what a deposed one prepares: then the disk has room, and the next append says what is the matter. */
  readonly #onNoRoom = (cause: unknown): void => {
    if (this.#options.fence.isHeld) this.#options.onNoRoom(cause);
  };

  async #nextSpare(): Promise<Spare> {
    try {
      await this.#spare.prepare();
      return this.#spare;
    } catch (cause) {
      if (!this.#reserve.ready) throw cause;
      this.#onNoRoom(cause);
      return this.#reserve;
    }
  }

  #writeHeader(segment: OpenSegment, firstSeq: number): void {
    writeWhole(segment.file, encodeSegmentHeader(firstSeq, this.#link), 0);
    segment.offset = SEGMENT_HEADER_SIZE;
  }
}

/** What earlier writers prepared gets the names of this one; what they began and did not finish is removed. */
function takeOverPrepared({ disk, directory, fence }: JournalOptions): void {
  for (const name of disk.list(directory)) {
    const [, kind] = /^(spare|reserve)(?:\.[0-9]+)?$/.exec(name) ?? [];
    const path = join(directory, name);
    if (name.endsWith('.tmp')) disk.remove(path);
    else if (kind !== undefined) disk.rename(path, join(directory, `${kind}.${fence.epoch}`));
  }
}

/** The disk took nothing more: by the error of the kernel, or by a write that took no byte. */
const isOutOfSpace = (cause: unknown): boolean =>
  cause instanceof Error && ('code' in cause ? cause.code === 'ENOSPC' : cause instanceof DiskTookLess);

const CHUNK = 1 << 20;

async function fillWithZeros(file: WritableFile, { from, to }: { from: number; to: number }): Promise<void> {
  const zeros = new Uint8Array(Math.min(CHUNK, Math.max(0, to - from)));
  for (let position = from; position < to; position += zeros.length) {
    writeWhole(file, zeros.subarray(0, Math.min(zeros.length, to - position)), position);
    if (position + zeros.length < to) await nextTurn();
  }
}
