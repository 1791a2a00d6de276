/**
 * Which files are the segments of history. A name holds the first command and the epoch of the writer: `0000000000000001.0000000007.segment`. Each opening of the
 * journal goes on in a file of its own, so files of deposed writers may lie beside those of history. Names without an epoch are of format 1.
 *
 * Old segments are packed into the folder `archive` beside that of the journal, under the same name with the ending `.packed`. Where both are there, a crash came
 * between the two steps of packing: the segment itself counts.
 */
import { dirname, join } from 'node:path';
import { HistoryDamaged } from './damage.ts';
import type { Disk } from './disk.ts';
import { unpackSegment } from './packed-segment.ts';

export interface Segment {
  readonly path: string;
  /** From its name: the first command in it. */
  readonly firstSeq: number;
  /** From its name; 0 without one. */
  readonly epoch: number;
  /** In the archive: see `packed-segment.ts`. */
  readonly isPacked: boolean;
}

const SEGMENT_NAME = /^([0-9]{16})(?:\.([0-9]{10}))?\.(segment|packed)$/;
const ENDING = /\.segment$/;

export const segmentName = (firstSeq: number, epoch: number): string =>
  `${String(firstSeq).padStart(16, '0')}.${String(epoch).padStart(10, '0')}.segment`;

/** Of the journal in `directory`. */
export const packedDirectory = (directory: string): string => join(dirname(directory), 'archive');

/** Where a segment is when it is packed. @param path of the segment in its journal */
export function packedPath(path: string): string {
  const name = path.slice(dirname(path).length + 1);
  return join(packedDirectory(dirname(path)), name.replace(ENDING, '.packed'));
}

/** All files that are named as segments, packed or not, by first command and epoch. */
export function segmentFiles(disk: Disk, directory: string): readonly Segment[] {
  const archive = packedDirectory(directory);
  const found = [...filesIn(disk, directory), ...(disk.exists(archive) ? filesIn(disk, archive) : [])];
  return found.sort(
    (left, right) => left.firstSeq - right.firstSeq || left.epoch - right.epoch || Number(right.isPacked) - Number(left.isPacked),
  );
}

function filesIn(disk: Disk, directory: string): readonly Segment[] {
  return disk.list(directory).flatMap((name): readonly Segment[] => {
    const [, digits, epoch, ending] = SEGMENT_NAME.exec(name) ?? [];
    if (digits === undefined) return [];
    return [{ path: join(directory, name), firstSeq: Number(digits), epoch: Number(epoch ?? 0), isPacked: ending === 'packed' }];
  });
}

/**
 * The segments of history: of those with the same first command the one of the latest epoch, and none that a deposed writer began behind the place where
 * a later epoch went on.
 */
export function listSegments(disk: Disk, directory: string): readonly Segment[] {
  const segments: Segment[] = [];
  let epoch = 0;
  for (const file of segmentFiles(disk, directory)) {
    if (file.epoch < epoch) continue;
    if (segments.at(-1)?.firstSeq === file.firstSeq) segments.pop();
    segments.push(file);
    epoch = file.epoch;
  }
  return segments;
}

/** What is in a segment; of a packed one up to the end of its last frame. @throws HistoryDamaged when it can not be unpacked; or the error of the disk */
export function segmentBytes(disk: Disk, { path, isPacked }: Segment): Uint8Array {
  if (isPacked) return unpacked(disk, path);
  try {
    return disk.read(path);
  } catch (error) {
    // It was packed since the list was made.
    const packed = packedPath(path);
    if (!isAbsent(error) || !disk.exists(packed)) throw error;
    return unpacked(disk, packed);
  }
}

function unpacked(disk: Disk, path: string): Uint8Array {
  const bytes = disk.read(path);
  try {
    return unpackSegment(bytes);
  } catch (cause) {
    throw new HistoryDamaged({ file: path, offset: 0, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
}

export const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
