/** The writing end of history: appends one frame at a time and answers when it is durable. Any fault is final: no sync is ever tried again. */
import { join } from 'node:path';
import { assert } from '@orrery/units';
import { writeWhole } from './disk.ts';
import type { Disk, WritableFile } from './disk.ts';
import { encodeSegmentHeader, SEGMENT_HEADER_SIZE } from './frame.ts';
import { segmentName } from './journal-walk.ts';
import type { JournalEnd } from './journal-walk.ts';
import { Spare } from './spare.ts';

export interface JournalOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly segmentBytes: number;
  readonly reserveBytes: number;
  /** Told when no new file could be prepared: history goes on in the reserve. */
  readonly onNoRoom: (cause: unknown) => void;
}

interface OpenSegment {
  readonly file: WritableFile;
  readonly size: number;
  offset: number;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #spare: Spare;
  readonly #reserve: Spare;
  #segment: OpenSegment | undefined;
  #appending = false;

  private constructor(options: JournalOptions) {
    const { disk, directory, segmentBytes, reserveBytes } = options;
    this.#options = options;
    this.#spare = new Spare({ disk, directory, name: 'spare', size: segmentBytes });
    this.#reserve = new Spare({ disk, directory, name: 'reserve', size: reserveBytes });
  }

  /**
   * Goes on where `end` says that history stops; whatever lies behind is wiped first. What an earlier life wrote and could not sync may
   * be in the kernel's memory alone, taken for written: it is written once more, so that this sync proves it or fails.
   */
  static async open(options: JournalOptions, end: JournalEnd): Promise<Journal> {
    const journal = new Journal(options);
    if (end.last !== undefined) {
      const { path, offset, size, tornBytes, newest } = end.last;
      journal.#segment = { file: options.disk.open(path), size, offset };
      writeWhole(journal.#segment.file, newest, offset - newest.length);
      if (tornBytes > 0) writeWhole(journal.#segment.file, new Uint8Array(tornBytes), offset);
      if (offset === 0) journal.#writeHeader(journal.#segment, end.nextSeq);
      await journal.#segment.file.sync();
      options.disk.syncDirectory(options.directory);
    }
    await journal.#spare.prepare().catch(options.onNoRoom);
    await journal.#reserve.prepare().catch(options.onNoRoom);
    return journal;
  }

  /** Resolves when the frame is durable. */
  async append(frame: Uint8Array, firstSeq: number): Promise<void> {
    assert(!this.#appending, 'one frame is appended at a time');
    assert(frame.length <= this.largestFrame, 'a frame fits into a segment');
    this.#appending = true;
    const segment = await this.#segmentFor(frame, firstSeq);
    writeWhole(segment.file, frame, segment.offset);
    await segment.file.sync();
    segment.offset += frame.length;
    this.#appending = false;
  }

  get largestFrame(): number {
    return Math.min(this.#options.segmentBytes, this.#options.reserveBytes) - SEGMENT_HEADER_SIZE;
  }

  /** Prepares what was used up, when there is room again. Rejects while there is none. */
  async refill(): Promise<void> {
    await this.#spare.prepare();
    await this.#reserve.prepare();
  }

  async close(): Promise<void> {
    await this.#spare.settled();
    await this.#reserve.settled();
    this.#segment?.file.close();
    this.#segment = undefined;
  }

  async #segmentFor(frame: Uint8Array, firstSeq: number): Promise<OpenSegment> {
    const current = this.#segment;
    if (current !== undefined && current.offset + frame.length <= current.size) return current;
    this.#segment = undefined;
    current?.file.close();
    const spare = await this.#nextSpare();
    const path = join(this.#options.directory, segmentName(firstSeq));
    spare.take(path);
    const segment = { file: this.#options.disk.open(path), size: spare.size, offset: 0 };
    this.#segment = segment;
    this.#writeHeader(segment, firstSeq);
    // Before the first frame: a torn header then proves that nothing stands behind it.
    await segment.file.sync();
    this.#options.disk.syncDirectory(this.#options.directory);
    this.#spare.prepare().catch(this.#options.onNoRoom);
    return segment;
  }

  async #nextSpare(): Promise<Spare> {
    try {
      await this.#spare.prepare();
      return this.#spare;
    } catch (cause) {
      if (!this.#reserve.ready) throw cause;
      this.#options.onNoRoom(cause);
      return this.#reserve;
    }
  }

  #writeHeader(segment: OpenSegment, firstSeq: number): void {
    writeWhole(segment.file, encodeSegmentHeader(firstSeq), 0);
    segment.offset = SEGMENT_HEADER_SIZE;
  }
}
