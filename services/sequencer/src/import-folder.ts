/** A heart that had a journal of its own goes on with a shared one: what it has is put into an empty store, with its chain of hashes. */
import type { Disk } from './disk.ts';
import { HistoryDamaged } from './damage.ts';
import { sameBytes } from './engine-factory.ts';
import { journalDirectory } from './history.ts';
import { type JournalEnd, walkJournal } from './journal-walk.ts';
import { FolderIsJournal, hasOwnJournal, markAsCopy } from './mirror.ts';
import { listSegments } from './segments.ts';
import { type JournalStore, lastSeqOf } from './store.ts';
import { framesOfFolder } from './stored-frames.ts';

export interface ImportOptions {
  readonly store: JournalStore;
  readonly disk: Disk;
  readonly directory: string;
  readonly log: (line: string) => void;
}

/**
 * Does nothing in a folder without a journal of its own. Afterwards the folder is a copy of the store.
 * @throws FolderIsJournal when the store has another history; HistoryDamaged when the folder's can not be trusted, or is not whole
 */
export async function importOwnJournal({ store, disk, directory, log }: ImportOptions): Promise<void> {
  if (!hasOwnJournal(disk, directory)) return;
  const journal = journalDirectory({ directory });
  const end = checkedEnd(disk, journal);
  const last = end.nextSeq - 1;
  if ((await store.read(0)).length === 0) {
    await store.importHistory(framesOfFolder(disk, journal));
    log(`${last} commands of ${directory} are in the shared journal now`);
  }
  // One that was imported before a crash is found here too.
  const link = last === 0 ? undefined : await store.linkOf(last);
  const isSame = link !== undefined && lastSeqOf(link) === last && sameBytes(link.hash, end.link.previous);
  if (!isSame && last > 0)
    throw new FolderIsJournal(
      `${directory} has a journal of its own with ${last} commands, and the shared journal has another history: name another data folder, or an empty store`,
    );
  await markAsCopy(disk, directory, await store.historyId());
}

/** Every frame is read and its hash compared before anything is imported. */
function checkedEnd(disk: Disk, journal: string): JournalEnd {
  const first = listSegments(disk, journal)[0];
  if (first !== undefined && first.firstSeq > 1)
    throw new HistoryDamaged({
      file: first.path,
      offset: 0,
      reason: `history begins with command ${first.firstSeq}: the ones before are missing`,
    });
  const walk = walkJournal(disk, journal, 0);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}
