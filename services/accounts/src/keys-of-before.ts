/**
 * Keys of persons were in the file `person-keys` of the data folder, which one process alone can use, and before that in a table of theirs. They are taken
 * over into SQL once, and the file is overwritten and removed. A kill at any step loses none, and revives none that was erased meanwhile.
 */
import { createHash } from 'node:crypto';
import { constants, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { accountId, type AccountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { WrappingKeys } from './keys/wrapping-keys.ts';
import { insertKey } from './person-keys.ts';
import type { AccountsTables } from './tables.ts';

/** The place of a key is found by the number of its account. */
const PLACE_BYTES = 128;
/** Its base64, sealed. */
const SEALED_BYTES = 72;
const EMPTY = Buffer.alloc(SEALED_BYTES);
const CHUNK = Buffer.alloc(1024 * 1024);

/** After each of them a kill is harmless. */
export const TAKE_OVER_STEPS = ['inserted', 'committed', 'renamed', 'overwritten', 'removed'] as const;
export type TakeOverStep = (typeof TAKE_OVER_STEPS)[number];

interface Parts {
  readonly db: Kysely<AccountsTables>;
  readonly wrapping: WrappingKeys;
  /** Of the file. */
  readonly path: string;
  readonly onStep?: (step: TakeOverStep) => void;
}

export async function takeOverKeys({ db, wrapping, path, onStep = () => undefined }: Parts): Promise<void> {
  await takeOverTable(db, wrapping);
  const taken = `${path}.taken-over`;
  const bytes = await readIfThere(path);
  if (bytes !== undefined) {
    await db.transaction().execute(async (tx) => {
      // A file that was taken over before a kill has keys that may have been erased in SQL since.
      const hash = createHash('sha256').update(bytes).digest('hex');
      const first = await tx
        .insertInto('accounts_taken_over')
        .values({ hash })
        .onConflict((conflict) => conflict.doNothing())
        .returning('hash')
        .executeTakeFirst();
      if (first !== undefined) await insertAll(tx, { keys: keysIn(bytes), wrapping });
      onStep('inserted');
    });
    onStep('committed');
    await rename(path, taken);
    await syncFolder(path);
    onStep('renamed');
  }
  const old = await readIfThere(taken);
  if (old === undefined) return;
  await overwrite(taken, old.length);
  onStep('overwritten');
  await rm(taken);
  await syncFolder(path);
  onStep('removed');
}

interface SealedKey {
  readonly account: AccountId;
  readonly sealed: Buffer;
}

/** Its own file is gone with the rows. */
async function takeOverTable(db: Kysely<AccountsTables>, wrapping: WrappingKeys): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx.selectFrom('accounts_person_key').selectAll().execute();
    if (rows.length === 0) return;
    await insertAll(tx, { keys: rows.map(({ account, sealed }) => ({ account: accountId(account), sealed })), wrapping });
    await sql`truncate accounts_person_key`.execute(tx);
  });
}

/** Where SQL has another key of an account, both are kept: what is encrypted later goes by the one of SQL. */
async function insertAll(
  tx: Transaction<AccountsTables>,
  { keys, wrapping }: { keys: readonly SealedKey[]; wrapping: WrappingKeys },
): Promise<void> {
  await sql`lock table accounts_wrapped_person_key in share row exclusive mode`.execute(tx);
  const rows = await tx.selectFrom('accounts_wrapped_person_key').select('account').where('is_current', '=', true).execute();
  const current = new Set(rows.map(({ account }) => account));
  for (const { account, sealed } of keys) {
    const key = Buffer.from(wrapping.own.open(sealed, `person ${account}`), 'base64');
    await insertKey(tx, { account, key, wrapping, isCurrent: !current.has(account) });
  }
}

function keysIn(bytes: Buffer): SealedKey[] {
  const found: SealedKey[] = [];
  for (let place = 0; place + SEALED_BYTES <= bytes.length; place += PLACE_BYTES) {
    const sealed = bytes.subarray(place, place + SEALED_BYTES);
    if (!sealed.equals(EMPTY)) found.push({ account: accountId(place / PLACE_BYTES), sealed });
  }
  return found;
}

/** In its place, as far as the file system writes there. */
async function overwrite(path: string, length: number): Promise<void> {
  const file = await open(path, constants.O_RDWR);
  try {
    for (let at = 0; at < length; at += CHUNK.length) await file.write(CHUNK, 0, Math.min(CHUNK.length, length - at), at);
    await file.datasync();
  } finally {
    await file.close();
  }
}

const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
