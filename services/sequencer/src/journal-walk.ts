/** Reads history back, segment by segment, and decides what a fault in it means: a torn tail is left out, a damaged middle is refused. */
import { join } from 'node:path';
import { HistoryDamaged } from './damage.ts';
import type { Disk } from './disk.ts';
import { entriesOf, isCommand } from './entry.ts';
import type { Entry } from './entry.ts';
import { decodeSegmentHeader, findFrame, frameAt, isZero, SEGMENT_HEADER_SIZE } from './frame.ts';
import type { Frame } from './frame.ts';

export interface Segment {
  readonly path: string;
  /** From its name: the first command in it. */
  readonly firstSeq: number;
}

/** Where the next frame goes. */
export interface JournalEnd {
  readonly nextSeq: number;
  /** The segment that is being filled; none before the first. */
  readonly last:
    | {
        readonly path: string;
        readonly offset: number;
        readonly size: number;
        readonly tornBytes: number;
        /** The newest frame, up to `offset`, or the header before the first: it was read, and need not be durable. */
        readonly newest: Uint8Array;
      }
    | undefined;
}

export interface Located {
  readonly entry: Entry;
  readonly file: string;
  readonly offset: number;
}

const SEGMENT_NAME = /^([0-9]{16})\.segment$/;

export const segmentName = (firstSeq: number): string => `${String(firstSeq).padStart(16, '0')}.segment`;

export function listSegments(disk: Disk, directory: string): readonly Segment[] {
  return disk.list(directory).flatMap((name) => {
    const digits = SEGMENT_NAME.exec(name)?.[1];
    return digits === undefined ? [] : [{ path: join(directory, name), firstSeq: Number(digits) }];
  });
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
  for (const [index, segment] of segments.entries()) {
    if (index < start) continue;
    if (segment.firstSeq !== nextSeq) throw gap({ file: segment.path, offset: 0, expected: nextSeq, found: segment.firstSeq });
    const bytes = disk.read(segment.path);
    const { frames, ...end } = readSegment({ bytes, segment, mayBeTorn: index === segments.length - 1 });
    // The entries of a whole frame at once: a generator within a generator would cost more than what it tells.
    for (const frame of frames) {
      if (frame.firstSeq + frame.commands - 1 > after) for (const located of locatedEntries(bytes, frame, segment)) yield located;
    }
    nextSeq = end.nextSeq;
    // A file may be cut off within the zeros that fill its last frame up: they belong to the frame.
    const newest = new Uint8Array(end.offset - end.newestAt);
    newest.set(bytes.subarray(end.newestAt, end.offset));
    last = { path: segment.path, offset: end.offset, size: bytes.length, tornBytes: end.tornBytes, newest };
  }
  return { nextSeq, last };
}

/** The last command in the journal; 0 when there is none. */
export function lastSeq(disk: Disk, directory: string): number {
  const segment = listSegments(disk, directory).at(-1);
  return segment === undefined ? 0 : readSegment({ bytes: disk.read(segment.path), segment, mayBeTorn: true }).nextSeq - 1;
}

interface SegmentRead {
  readonly bytes: Uint8Array;
  readonly segment: Segment;
  readonly mayBeTorn: boolean;
}

interface SegmentFrames {
  readonly frames: readonly Frame[];
  readonly nextSeq: number;
  /** Where the last frame ends. */
  readonly offset: number;
  /** Where the newest frame begins; 0 before the first. */
  readonly newestAt: number;
  readonly tornBytes: number;
}

function readSegment(read: SegmentRead): SegmentFrames {
  const { bytes, segment } = read;
  const header = decodeSegmentHeader(bytes);
  if ('fault' in header) return headerFault(read, header.fault);
  if (header.firstSeq !== segment.firstSeq)
    throw damaged(segment, 0, `its name and its header disagree: the header says ${header.firstSeq}`);
  const frames: Frame[] = [];
  let nextSeq = segment.firstSeq;
  let newestAt = 0;
  let offset = SEGMENT_HEADER_SIZE;
  for (let frame = frameAt(bytes, offset); frame?.firstSeq === nextSeq; frame = frameAt(bytes, offset)) {
    frames.push(frame);
    nextSeq += frame.commands;
    newestAt = offset;
    offset = frame.end;
  }
  return { frames, nextSeq, offset, newestAt, tornBytes: tornBytes(read, offset, nextSeq) };
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
function headerFault({ bytes, segment, mayBeTorn }: SegmentRead, fault: string): SegmentFrames {
  if (!mayBeTorn || !isZero(bytes, SEGMENT_HEADER_SIZE, bytes.length)) throw damaged(segment, 0, fault);
  return { frames: [], nextSeq: segment.firstSeq, offset: 0, newestAt: 0, tornBytes: usedBytes(bytes, 0) };
}

function tornBytes({ bytes, segment, mayBeTorn }: SegmentRead, offset: number, nextSeq: number): number {
  const torn = usedBytes(bytes, offset);
  if (torn === 0) return 0;
  const later = findFrame(bytes, { offset, minSeq: nextSeq });
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
