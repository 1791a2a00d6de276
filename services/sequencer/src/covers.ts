/** Whether history can be derived from a command on: segments may be missing at the beginning of a journal that was restored. */
import type { Disk } from './disk.ts';
import { journalDirectory, snapshotDirectory } from './history.ts';
import { listSegments } from './segments.ts';
import { listSnapshots } from './snapshot.ts';

/** Whether the folder holds every command after `after`, and a state to begin with before the first of them. */
export function coversHistory({ disk, directory }: { disk: Disk; directory: string }, after: number): boolean {
  const first = listSegments(disk, journalDirectory({ directory }))[0]?.firstSeq ?? 1;
  const begin = listSnapshots(disk, snapshotDirectory({ directory })).find(({ seq }) => seq <= after)?.seq ?? 0;
  return first <= begin + 1;
}
