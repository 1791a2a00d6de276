/**
 * Packs old segments of a journal into its archive. A crash at any step leaves the segment, the packed segment, or both; the next step goes on from there. Nobody who
 * reads is cut off: readers find a segment under its other name (`segments.ts`).
 */
import { createWhole, writeWhole } from './disk.ts';
import type { Disk } from './disk.ts';
import { journalDirectory, snapshotDirectory } from './history.ts';
import { newestGroup } from './journal-walk.ts';
import { packSegment } from './packed-segment.ts';
import { listSegments, packedDirectory, packedPath, type Segment } from './segments.ts';
import { listSnapshots } from './snapshot.ts';

export interface PackOptions {
  readonly disk: Disk;
  /** Of a heart, or of one that follows another: its journal and snapshots. */
  readonly directory: string;
}

/**
 * One step: packs the oldest segment of which every command is in each kept snapshot. Recovery and readers that are almost up to date do not read it.
 * @returns the path of the segment that was packed; undefined when there is none
 * @throws Error with a sentence when the segment is damaged, which then stays as it is; or the error of the disk
 */
export async function packOldestSegment({ disk, directory }: PackOptions): Promise<string | undefined> {
  const journal = journalDirectory({ directory });
  const found = oldestToPack(disk, directory);
  if (found === undefined) return undefined;
  const { segment, next } = found;
  const bytes = disk.read(segment.path);
  const { nextSeq } = newestGroup(bytes, segment);
  if (nextSeq !== next.firstSeq)
    throw new Error(
      `${segment.path} can not be packed: it ends with command ${nextSeq - 1}, and the next one begins with ${next.firstSeq}`,
    );
  const packed = packSegment(bytes);
  disk.makeDirectory(packedDirectory(journal));
  await createWhole(disk, packedPath(segment.path), (file) => {
    writeWhole(file, packed, 0);
    return Promise.resolve();
  });
  disk.remove(segment.path);
  disk.syncDirectory(journal);
  return segment.path;
}

interface Found {
  readonly segment: Segment;
  readonly next: Segment;
}

function oldestToPack(disk: Disk, directory: string): Found | undefined {
  const oldestSnapshot = listSnapshots(disk, snapshotDirectory({ directory })).at(-1)?.seq ?? 0;
  const segments = listSegments(disk, journalDirectory({ directory }));
  const index = segments.findIndex(({ isPacked }) => !isPacked);
  const [segment, next] = [segments[index], segments[index + 1]];
  return segment !== undefined && next !== undefined && next.firstSeq - 1 <= oldestSnapshot ? { segment, next } : undefined;
}
