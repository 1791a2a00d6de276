/** Files without a row, which a kill between the two leaves, and rows without a file, which a lost disk leaves. */
import type { Kysely } from 'kysely';
import type { AccountsTables } from '../tables.ts';
import type { FileStore } from './file-store.ts';

/** A file is written before its row: what is younger may still get one. */
export const ORPHAN_AGE_MS = 3_600_000;
const SHOWN_MAX = 10;

interface Parts {
  readonly db: Kysely<AccountsTables>;
  readonly store: FileStore;
  readonly now: () => number;
}

/**
 * Removes the files that no row names. Nothing is removed for a row without a file: a store that is not mounted would cost every row.
 * @throws Error with the ids of the rows whose file is not there, after everything else is done
 */
export async function removeOrphans({ db, store, now }: Parts): Promise<number> {
  const before = now() - ORPHAN_AGE_MS;
  // The files first: one that comes meanwhile is young, and of one that goes meanwhile nothing is left to remove.
  const stored = await store.list();
  const rows = await db.selectFrom('accounts_file').select(['file_id', 'created_at']).orderBy('file_id').execute();
  const named = new Set(rows.map(({ file_id }) => file_id));
  const orphans = stored.filter(({ fileId, writtenAt }) => !named.has(fileId) && writtenAt <= before);
  for (const { fileId } of orphans) await store.remove(fileId);
  const there = new Set(stored.map(({ fileId }) => fileId));
  const lost = rows.filter(({ file_id, created_at }) => !there.has(file_id) && created_at <= before).map(({ file_id }) => file_id);
  if (lost.length > 0) throw new Error(`${lost.length} files are not in the store of files: ${lost.slice(0, SHOWN_MAX).join(', ')}`);
  return orphans.length;
}
