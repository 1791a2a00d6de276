/**
 * Which files are the segments of history. A name holds the first command and the epoch of the writer: `0000000000000001.0000000007.segment`. Each opening of the
 * journal goes on in a file of its own, so files of deposed writers may lie beside those of history. Names without an epoch are of format 1.
 */
import { join } from 'node:path';
import type { Disk } from './disk.ts';

export interface Segment {
  readonly path: string;
  /** From its name: the first command in it. */
  readonly firstSeq: number;
  /** From its name; 0 without one. */
  readonly epoch: number;
}

const SEGMENT_NAME = /^([0-9]{16})(?:\.([0-9]{10}))?\.segment$/;

export const segmentName = (firstSeq: number, epoch: number): string =>
  `${String(firstSeq).padStart(16, '0')}.${String(epoch).padStart(10, '0')}.segment`;

/** All files that are named as segments, by first command and epoch. */
export function segmentFiles(disk: Disk, directory: string): readonly Segment[] {
  return disk
    .list(directory)
    .flatMap((name): readonly Segment[] => {
      const [, digits, epoch] = SEGMENT_NAME.exec(name) ?? [];
      return digits === undefined ? [] : [{ path: join(directory, name), firstSeq: Number(digits), epoch: Number(epoch ?? 0) }];
    })
    .sort((left, right) => left.firstSeq - right.firstSeq || left.epoch - right.epoch);
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
