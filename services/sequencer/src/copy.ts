/** What a copy of a folder needs: where its history ends now, the state to which it leads, and how a copy goes back to an earlier command. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Sequenced } from '@orrery/protocol';
import type { Disk } from './disk.ts';
import { createWhole, writeWhole } from './disk.ts';
import { newestLayout } from './engine-factory.ts';
import { isCommand } from './entry.ts';
import { type Archive, journalDirectory, snapshotDirectory } from './history.ts';
import { newestGroup, walkJournal } from './journal-walk.ts';
import { recover } from './recovery.ts';
import { listSegments, type Segment, segmentBytes, segmentFiles, segmentName } from './segments.ts';
import { listSnapshots } from './snapshot.ts';

type Place = Pick<Archive, 'disk' | 'directory'>;

export interface NewestSegment {
  readonly path: string;
  /** As it is now, with zeros behind its last whole group. */
  readonly content: Uint8Array;
  /** The last command in it. */
  readonly seq: number;
}

/**
 * The one segment that still changes, while its writer goes on; undefined where nothing is written yet.
 * @throws HistoryDamaged
 */
export function newestSegment({ disk, directory }: Place): NewestSegment | undefined {
  const segment = listSegments(disk, journalDirectory({ directory })).at(-1);
  if (segment === undefined) return undefined;
  const content = Uint8Array.from(disk.read(segment.path));
  const { offset, nextSeq } = newestGroup(content, segment);
  content.fill(0, offset);
  return { path: segment.path, content, seq: nextSeq - 1 };
}

export interface HistoryState {
  readonly seq: number;
  /** Unix milliseconds of that command. */
  readonly at: number;
  /** SHA-256 in hex of the state in the layout named. */
  readonly stateHash: string;
  readonly layout: number;
}

/**
 * From the newest good snapshot and every command after it; hashes on the way are compared.
 * @throws HistoryDamaged, ReplayDiffers
 */
export function stateOf(archive: Archive, layout?: number): HistoryState {
  // A folder that is copied by its files has none where there is no snapshot yet.
  archive.disk.makeDirectory(snapshotDirectory(archive));
  const { replay } = recover(archive, () => undefined);
  const written = layout ?? newestLayout(replay.engine);
  const stateHash = createHash('sha256').update(replay.engine.encodeState(written)).digest('hex');
  return { seq: replay.seq, at: replay.at, stateHash, layout: written };
}

/** The place between two groups behind which a copy is cut. */
export interface Cut {
  /** The last command that stays. */
  readonly seq: number;
  readonly file: string;
  readonly offset: number;
}

/**
 * Before the group with the first command that does not stay; undefined when all stay.
 * @throws HistoryDamaged
 */
export function findCut({ disk, directory }: Place, stays: (command: Sequenced) => boolean): Cut | undefined {
  const journal = journalDirectory({ directory });
  const first = listSegments(disk, journal)[0]?.firstSeq ?? 1;
  let group = { file: '', offset: -1, before: first - 1 };
  let last = first - 1;
  for (const { entry, file, offset } of walkJournal(disk, journal, first - 1)) {
    if (group.file !== file || group.offset !== offset) group = { file, offset, before: last };
    if (!isCommand(entry)) continue;
    if (!stays(entry.sequenced)) return { seq: group.before, file, offset };
    last = entry.sequenced.seq;
  }
  return undefined;
}

/** Leaves no group behind the cut, and no snapshot of a later command. Nobody else may have the folder. */
export async function cutHistory({ disk, directory }: Place, cut: Cut): Promise<void> {
  for (const { path, seq } of listSnapshots(disk, snapshotDirectory({ directory }))) if (seq > cut.seq) disk.remove(path);
  for (const { path, firstSeq } of segmentFiles(disk, journalDirectory({ directory }))) if (firstSeq > cut.seq) disk.remove(path);
  // The writer goes on in the last one, so that is not packed.
  const last = listSegments(disk, journalDirectory({ directory })).at(-1);
  const path = last?.isPacked === true ? await unpackInPlace(disk, directory, last) : last?.path;
  if (path !== undefined && (last?.path === cut.file || path === cut.file)) await zeroBehind(disk, { ...cut, file: path });
  disk.syncDirectory(journalDirectory({ directory }));
}

/** @returns the path of the segment as it was before it was packed */
async function unpackInPlace(disk: Disk, directory: string, packed: Segment): Promise<string> {
  const path = join(journalDirectory({ directory }), segmentName(packed.firstSeq, packed.epoch));
  await createWhole(disk, path, (file) => {
    writeWhole(file, segmentBytes(disk, packed), 0);
    return Promise.resolve();
  });
  disk.remove(packed.path);
  return path;
}

async function zeroBehind(disk: Disk, { file: path, offset }: Cut): Promise<void> {
  const file = disk.open(path);
  try {
    writeWhole(file, new Uint8Array(disk.size(path) - offset), offset);
    await file.sync();
  } finally {
    file.close();
  }
}
