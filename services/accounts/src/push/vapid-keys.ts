/** The keys by which push services know this exchange (VAPID, RFC 8292): made once, a row that every process on the database has, its private part sealed. */
import { readFile, stat } from 'node:fs/promises';
import { assert } from '@orrery/units';
import type { Kysely } from 'kysely';
import webPush from 'web-push';
import type { SecretBox } from '../sealed-secret.ts';
import type { AccountsTables } from '../tables.ts';

/** Base64url, as browsers take the public one. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Parts {
  readonly db: Kysely<AccountsTables>;
  readonly box: SecretBox;
  /** Of the file in which earlier versions had them: where there is one and no row yet, they are taken over. */
  readonly path: string;
}

const ID = 1;
const OWNER = 'keys of push messages';
const PUBLIC = /^[0-9a-zA-Z_-]{87}$/;
const PRIVATE = /^[0-9a-zA-Z_-]{43}$/;

/**
 * Of two processes that make them at once both read back those that stand. Another pair would make every browser subscribe again, so a file that is there, has
 * none and is needed is a failure.
 * @throws Error when the file has no keys, or others can read it.
 */
export async function openVapidKeys(parts: Parts): Promise<VapidKeys> {
  const known = await find(parts);
  if (known !== undefined) return known;
  const { publicKey, privateKey } = (await keysInFile(parts.path)) ?? webPush.generateVAPIDKeys();
  await parts.db
    .insertInto('accounts_push_key')
    .values({ id: ID, public_key: publicKey, sealed_private: parts.box.seal(privateKey, OWNER) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find(parts);
  assert(made !== undefined, 'the keys of push messages are there');
  return made;
}

async function find({ db, box }: Parts): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('accounts_push_key').selectAll().where('id', '=', ID).executeTakeFirst();
  return row === undefined ? undefined : { publicKey: row.public_key, privateKey: box.open(row.sealed_private, OWNER) };
}

async function keysInFile(path: string): Promise<VapidKeys | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  if (((await stat(path)).mode & 0o077) !== 0) throw new Error(`${path} can be read by others: make it readable for its owner only`);
  const [publicKey = '', privateKey = ''] = text.split('\n');
  if (!PUBLIC.test(publicKey) || !PRIVATE.test(privateKey)) throw new Error(`${path} has no keys for push messages`);
  return { publicKey, privateKey };
}
