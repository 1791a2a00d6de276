/** History and its events, derived again from the journal by an engine of its own: events are not stored, they follow from the commands. */
import { join } from 'node:path';
import type { Applied } from '@orrery/protocol';
import type { Disk } from './disk.ts';
import { isCommand } from './entry.ts';
import type { EngineFactory } from './engine-factory.ts';
import { walkJournal } from './journal-walk.ts';
import type { Located } from './journal-walk.ts';
import { Replay } from './replay.ts';
import { newestSnapshot } from './snapshot.ts';

export interface Archive {
  readonly disk: Disk;
  readonly directory: string;
  readonly engines: EngineFactory;
  readonly log: (line: string) => void;
}

export const journalDirectory = ({ directory }: Pick<Archive, 'directory'>): string => join(directory, 'journal');
export const snapshotDirectory = ({ directory }: Pick<Archive, 'directory'>): string => join(directory, 'snapshots');

/** A replay that stands at the newest good snapshot not after `notAfter`, or at the beginning. */
export function replayFromSnapshot(archive: Archive, notAfter: number): Replay {
  const from = { disk: archive.disk, directory: snapshotDirectory(archive), engines: archive.engines, notAfter };
  return new Replay(archive.engines, newestSnapshot(from, archive.log));
}

/** The entries of the journal after `after`, up to the command `last`, which must be durable. */
export function* entriesBetween(archive: Archive, { after, last }: { after: number; last: number }): Generator<Located, void> {
  if (after >= last) return;
  for (const located of walkJournal(archive.disk, journalDirectory(archive), after)) {
    if (isCommand(located.entry) && located.entry.sequenced.seq > last) return;
    yield located;
  }
}

/** The commands after `after` up to `last` with their events, in batches of a thousand. */
export function* deriveHistory(archive: Archive, { after, last }: { after: number; last: number }): Generator<readonly Applied[], void> {
  const replay = replayFromSnapshot(archive, after);
  let batch: Applied[] = [];
  let taken = 0;
  for (const located of entriesBetween(archive, { after: replay.seq, last })) {
    const applied = replay.take(located);
    if (applied !== undefined && applied.seq > after) batch.push(applied);
    taken += 1;
    // Empty batches on the way from the snapshot give the others their turn.
    if (taken % 1_000 === 0) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}
