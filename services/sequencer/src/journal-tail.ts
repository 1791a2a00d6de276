/** Reads the journal while its heart is writing it: each frame once, as soon as it is durable, from where the last read ended. */
import { HistoryDamaged } from './damage.ts';
import type { Disk } from './disk.ts';
import { entriesOf } from './entry.ts';
import { decodeSegmentHeader, frameAt, SEGMENT_HEADER_SIZE, type Frame } from './frame.ts';
import type { Located } from './journal-walk.ts';
import { isAbsent, listSegments, type Segment, segmentBytes } from './segments.ts';

/** More frames than usually wait. A larger frame is read by itself. */
const PART_BYTES = 1 << 18;

interface Part {
  readonly bytes: Uint8Array;
  /** Where in the file it begins. */
  readonly from: number;
}

interface FoundFrame {
  readonly frame: Frame;
  readonly bytes: Uint8Array;
}

export class JournalTail {
  readonly #disk: Disk;
  readonly #directory: string;
  #segment: Segment | undefined;
  #part: Part = { bytes: new Uint8Array(0), from: 0 };
  /** The content of the segment, where it is packed and has been read. */
  #unpacked: { readonly path: string; readonly bytes: Uint8Array } | undefined;
  /** Where in the segment the next frame begins. */
  #offset = 0;
  /** Of the segment's format. */
  #version = 0;
  #nextSeq: number;

  /** @param options.after the last command that the reader knows; earlier ones of the same frame come along */
  constructor(options: { readonly disk: Disk; readonly directory: string; readonly after: number }) {
    this.#disk = options.disk;
    this.#directory = options.directory;
    this.#enter(listSegments(options.disk, options.directory).findLast(({ firstSeq }) => firstSeq <= options.after + 1));
    this.#nextSeq = this.#segment?.firstSeq ?? 1;
    while (this.#segment !== undefined && this.#nextSeq <= options.after) {
      const found = this.#frameHere();
      if (found === undefined || found.frame.firstSeq + found.frame.commands - 1 > options.after) break;
      this.#pass(found.frame);
    }
  }

  /**
   * The entries up to the frame of the command `last`, which must be durable.
   * @throws HistoryDamaged when they are not there.
   */
  *upTo(last: number): Generator<Located, void> {
    while (this.#nextSeq <= last) {
      const { frame, bytes } = this.#frameHere() ?? this.#frameOfNextSegment();
      const file = this.#segment?.path ?? this.#directory;
      const offset = this.#offset;
      this.#pass(frame);
      for (const entry of entriesOf(bytes, frame)) yield { entry, file, offset };
    }
  }

  #pass(frame: Frame): void {
    this.#offset += frame.end - frame.offset;
    this.#nextSeq += frame.commands;
  }

  #frameOfNextSegment(): FoundFrame {
    this.#enter(listSegments(this.#disk, this.#directory).find(({ firstSeq }) => firstSeq === this.#nextSeq));
    const found = this.#frameHere();
    if (found !== undefined) return found;
    throw new HistoryDamaged({
      file: this.#segment?.path ?? this.#directory,
      offset: this.#offset,
      reason: `command ${this.#nextSeq} is durable, and is not there`,
    });
  }

  /** A header that is not written yet is read again with the next frame. */
  #enter(segment: Segment | undefined): void {
    this.#segment = segment;
    this.#part = { bytes: new Uint8Array(0), from: 0 };
    this.#unpacked = undefined;
    this.#version = 0;
    this.#offset = 0;
  }

  #readHeader({ path }: Segment): boolean {
    if (this.#version !== 0) return true;
    const header = decodeSegmentHeader(this.#unpacked?.bytes ?? this.#disk.readPart(path, { from: 0, bytes: SEGMENT_HEADER_SIZE }));
    if ('fault' in header) return false;
    this.#version = header.version;
    this.#offset = header.size;
    return true;
  }

  /** The writer copies the last segment of the writer before it and removes it, and old ones are packed, even while they are read here. */
  #frameHere(): FoundFrame | undefined {
    try {
      return this.#readFrame();
    } catch (error) {
      const gone = this.#segment;
      const copy = isAbsent(error)
        ? listSegments(this.#disk, this.#directory).find(({ firstSeq }) => firstSeq === gone?.firstSeq)
        : undefined;
      if (copy === undefined || copy.path === gone?.path) throw error;
      // Its header and frames stand where they stood.
      this.#segment = copy;
      return this.#frameHere();
    }
  }

  /** What was read may be from before the frame was written, or hold only its beginning. */
  #readFrame(): FoundFrame | undefined {
    if (this.#segment === undefined) return undefined;
    if (this.#segment.isPacked && this.#unpacked?.path !== this.#segment.path)
      this.#unpacked = { path: this.#segment.path, bytes: segmentBytes(this.#disk, this.#segment) };
    if (!this.#readHeader(this.#segment)) return undefined;
    // Nothing is added to what is packed.
    if (this.#unpacked !== undefined) return this.#frameIn({ bytes: this.#unpacked.bytes, from: 0 });
    return (
      this.#frameIn(this.#part) ??
      this.#frameIn(this.#read(this.#segment, PART_BYTES)) ??
      this.#frameIn(this.#read(this.#segment, this.#disk.size(this.#segment.path) - this.#offset))
    );
  }

  #frameIn({ bytes, from }: Part): FoundFrame | undefined {
    const frame = frameAt(bytes, this.#offset - from, this.#version);
    return frame?.firstSeq === this.#nextSeq ? { frame, bytes } : undefined;
  }

  #read({ path }: Segment, bytes: number): Part {
    this.#part = { bytes: this.#disk.readPart(path, { from: this.#offset, bytes }), from: this.#offset };
    return this.#part;
  }
}
