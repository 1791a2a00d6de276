/** Reads history back, segment by segment, and decides what a fault in it means: a torn tail is left out, a damaged middle is refused. */
import { HistoryDamaged } from './damage.ts';
import type { Disk } from './disk.ts';
import { entriesOf, isCommand } from './entry.ts';
import type { Entry } from './entry.ts';
import { sameBytes } from './engine-factory.ts';
import { decodeSegmentHeader, findFrame, frameAt, FORMAT_VERSION, frameHash, isZero, NO_FRAME, SEGMENT_HEADER_SIZE } from './frame.ts';
import type { Frame, FrameLink } from './frame.ts';
import { listSegments, segmentBytes } from './segments.ts';
import type { Segment } from './segments.ts';

/** Where the next frame goes. */
export interface JournalEnd {
  readonly nextSeq: number;
  /** Of the last frame: the next one must carry its hash, and have an epoch no lower. */
  readonly link: FrameLink;
  /** Frames that were read, and those of them that carry the hash of the one before. */
  readonly frames: { readonly read: number; readonly chained: number };
  /** The segment that is being filled; none before the first. */
  readonly last:
    | {
        readonly path: string;
        readonly firstSeq: number;
        readonly offset: number;
        readonly size: number;
        readonly tornBytes: number;
        /** Of format 1, which is not written any more. */
        readonly isOldFormat: boolean;
      }
    | undefined;
}

export interface Located {
  readonly entry: Entry;
  readonly file: string;
  readonly offset: number;
}

/**
 * Every entry of the frames that tell of commands after `after`; earlier ones of the same frame come along.
 * @throws HistoryDamaged when something is wrong that a crash while writing the last frame can not explain.
 */
export function* walkJournal(disk: Disk, directory: string, after: number): Generator<Located, JournalEnd> {
  const segments = listSegments(disk, directory);
  const start = Math.max(
    0,
    segments.findLastIndex(({ firstSeq }) => firstSeq <= after + 1),
  );
  let nextSeq = segments[start]?.firstSeq ?? 1;
  if (nextSeq > after + 1) throw gap({ file: segments[start]?.path ?? directory, offset: 0, expected: after + 1, found: nextSeq });
  let last: JournalEnd['last'];
  // What stands before the first segment that is read is not known; before the first of all there is nothing.
  let link: FrameLink | undefined = start === 0 ? { epoch: 0, previous: NO_FRAME } : undefined;
  const count = { read: 0, chained: 0 };
  for (const [index, segment] of segments.entries()) {
    if (index < start) continue;
    if (segment.firstSeq !== nextSeq) throw gap({ file: segment.path, offset: 0, expected: nextSeq, found: segment.firstSeq });
    const bytes = segmentBytes(disk, segment);
    const { frames, ...end } = readSegment({ bytes, segment, link, mayBeTorn: index === segments.length - 1 });
    link = end.link;
    count.read += frames.length;
    count.chained += frames.filter((frame) => frame.link !== undefined).length;
    // The entries of a whole frame at once: a generator within a generator would cost more than its entries.
    for (const frame of frames) {
      if (frame.firstSeq + frame.commands - 1 > after) for (const located of locatedEntries(bytes, frame, segment)) yield located;
    }
    nextSeq = end.nextSeq;
    const { path, firstSeq } = segment;
    last = { path, firstSeq, offset: end.offset, size: bytes.length, tornBytes: end.tornBytes, isOldFormat: end.version === 1 };
  }
  return { nextSeq, link: link ?? { epoch: 0, previous: NO_FRAME }, frames: count, last };
}

/** The last command in the journal; 0 when there is none. */
export function lastSeq(disk: Disk, directory: string): number {
  const segment = listSegments(disk, directory).at(-1);
  return segment === undefined
    ? 0
    : readSegment({ bytes: segmentBytes(disk, segment), segment, link: undefined, mayBeTorn: true }).nextSeq - 1;
}

/** Where the last whole group ends in a segment that its writer may be writing. */
export const newestGroup = (bytes: Uint8Array, segment: Segment): { readonly offset: number; readonly nextSeq: number } =>
  readSegment({ bytes, segment, link: undefined, mayBeTorn: true });

interface SegmentRead {
  readonly bytes: Uint8Array;
  readonly segment: Segment;
  /** Of the frame before; undefined when it was not read. */
  readonly link: FrameLink | undefined;
  readonly mayBeTorn: boolean;
}

interface SegmentFrames {
  readonly frames: readonly Frame[];
  readonly nextSeq: number;
  /** What the next frame must carry; undefined when no frame was read and what stands before is not known. */
  readonly link: FrameLink | undefined;
  /** Where the last frame ends. */
  readonly offset: number;
  readonly tornBytes: number;
  readonly version: number;
}

function readSegment(read: SegmentRead): SegmentFrames {
  const { bytes, segment } = read;
  const header = decodeSegmentHeader(bytes);
  if ('fault' in header) return headerFault(read, header.fault);
  if (header.firstSeq !== segment.firstSeq)
    throw damaged(segment, 0, `its name and its header disagree: the header says ${header.firstSeq}`);
  let link = header.link === undefined ? read.link : follow(segment, 0, read.link, header.link);
  const frames: Frame[] = [];
  let nextSeq = segment.firstSeq;
  let offset = header.size;
  for (let frame = frameAt(bytes, offset, header.version); frame?.firstSeq === nextSeq; frame = frameAt(bytes, offset, header.version)) {
    const { epoch } = frame.link === undefined ? { epoch: 0 } : follow(segment, offset, link, frame.link);
    link = { epoch, previous: frameHash(bytes, frame) };
    frames.push(frame);
    nextSeq += frame.commands;
    offset = frame.end;
  }
  const { version } = header;
  return { frames, nextSeq, link, offset, version, tornBytes: tornBytes(read, { offset, minSeq: nextSeq, version }) };
}

/** What a frame or a header carries must be the hash of the frame before it, and of no earlier epoch. */
function follow(segment: Segment, offset: number, before: FrameLink | undefined, own: FrameLink): FrameLink {
  if (before === undefined) return own;
  if (!sameBytes(before.previous, own.previous))
    throw damaged(segment, offset, 'it does not carry the hash of the frame before it: one of the two was changed');
  if (own.epoch < before.epoch) throw damaged(segment, offset, `it is of epoch ${own.epoch}, and the frame before it of ${before.epoch}`);
  return own;
}

function locatedEntries(bytes: Uint8Array, frame: Frame, segment: Segment): readonly Located[] {
  const located = readEntries(bytes, frame, segment).map((entry): Located => ({ entry, file: segment.path, offset: frame.offset }));
  const commands = located.filter(({ entry }) => isCommand(entry)).length;
  if (commands !== frame.commands) throw damaged(segment, frame.offset, `a frame of ${frame.commands} commands has ${commands}`);
  return located;
}

function readEntries(bytes: Uint8Array, frame: Frame, segment: Segment): readonly Entry[] {
  try {
    return entriesOf(bytes, frame);
  } catch (cause) {
    // The checksum was right: another program wrote this, or this one is older than the journal.
    throw new HistoryDamaged({
      file: segment.path,
      offset: frame.offset,
      reason: `the entries of a frame can not be read: ${String(cause)}`,
      cause,
    });
  }
}

/** The header is synced before the first frame is written: where it is torn, nothing can stand behind it. */
function headerFault({ bytes, segment, link, mayBeTorn }: SegmentRead, fault: string): SegmentFrames {
  if (!mayBeTorn || !isZero(bytes, SEGMENT_HEADER_SIZE, bytes.length)) throw damaged(segment, 0, fault);
  return { frames: [], nextSeq: segment.firstSeq, link, offset: 0, version: FORMAT_VERSION, tornBytes: usedBytes(bytes, 0) };
}

function tornBytes({ bytes, segment, mayBeTorn }: SegmentRead, from: { offset: number; minSeq: number; version: number }): number {
  const { offset } = from;
  const torn = usedBytes(bytes, offset);
  if (torn === 0) return 0;
  const later = findFrame(bytes, from);
  if (later !== undefined) throw damaged(segment, offset, `a bad frame, and a good one behind it at offset ${later.offset}`);
  if (!mayBeTorn) throw damaged(segment, offset, 'a bad frame, and a later segment behind it');
  return torn;
}

/** How far behind `offset` the last byte is that is not zero. */
function usedBytes(bytes: Uint8Array, offset: number): number {
  if (isZero(bytes, offset, bytes.length)) return 0;
  return bytes.findLastIndex((byte) => byte !== 0) + 1 - offset;
}

const damaged = (segment: Segment, offset: number, reason: string): HistoryDamaged =>
  new HistoryDamaged({ file: segment.path, offset, reason });

function gap({ file, offset, expected, found }: { file: string; offset: number; expected: number; found: number }): HistoryDamaged {
  return new HistoryDamaged({ file, offset, reason: `command ${expected} was expected here, and history goes on with ${found}` });
}
