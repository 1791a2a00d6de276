/** The keys of the service at its start: made, taken over from earlier versions, and wrapped again where the master key has changed. */
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { makeMasterKey, type MasterKey, MasterKeyError, readMasterKey } from './keys/master-key.ts';
import { WrappingKeys } from './keys/wrapping-keys.ts';
import { takeOverKeys } from './keys-of-before.ts';
import { PersonKeys } from './person-keys.ts';
import type { SecretBox } from './sealed-secret.ts';
import type { AccountsTables } from './tables.ts';

/** Of versions that had the keys of persons in a file. */
const PERSON_KEYS_FILE = 'person-keys';

export interface KeySources {
  readonly db: Kysely<AccountsTables>;
  /** The same database by connections of its own: keys are read while a transaction of `db` is open. */
  readonly keysDb: Kysely<AccountsTables>;
  /** Of files of this process. */
  readonly dataFolder: string;
  /** Of the master key, the same for all processes on the database; made with mode 0600 when there is none and nothing is wrapped yet. */
  readonly keyFile: string;
  /** Of the master key until now, at the start that changes it. */
  readonly formerKeyFile?: string | undefined;
}

/** What the service seals with, and the keys of persons. @throws MasterKeyError where the master key is not that of the database */
export async function openKeys({
  db,
  keysDb,
  keyFile,
  formerKeyFile,
  dataFolder,
}: KeySources): Promise<{ box: SecretBox; keys: PersonKeys }> {
  const master = (await readMasterKey(keyFile)) ?? (await makeFirstKey(db, keyFile));
  const former = formerKeyFile === undefined ? undefined : await readMasterKey(formerKeyFile);
  if (former === undefined && formerKeyFile !== undefined) throw new MasterKeyError(`The former master key ${formerKeyFile} is not there.`);
  const wrapping = await WrappingKeys.open({ db, master, former });
  await takeOverKeys({ db, wrapping, path: join(dataFolder, PERSON_KEYS_FILE) });
  const keys = new PersonKeys({ db: keysDb, wrapping });
  await keys.load();
  return { box: wrapping.own, keys };
}

/** A new key opens nothing of what is there: it is not made in the place of one that is missing. */
async function makeFirstKey(db: Kysely<AccountsTables>, keyFile: string): Promise<MasterKey> {
  if (await WrappingKeys.exist(db))
    throw new MasterKeyError(`The master key ${keyFile} is not there, and the keys in the database are wrapped by it.`);
  return makeMasterKey(keyFile);
}
