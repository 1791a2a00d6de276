/**
 * A key per person, in SQL, wrapped by a key that the master key wraps: once its row is gone nothing that was encrypted under it is opened. The row decides:
 * several processes on one database encrypt under the same key, and what memory has serves reads only, as long as it fits what is read.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { accountId, type AccountId } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import type { WrappingKeys } from './keys/wrapping-keys.ts';
import { newKey } from './sealed-secret.ts';
import type { AccountsTables } from './tables.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first bytes of what is encrypted say under which of the keys of one account. */
const MARK_BYTES = 4;
/** Rows that are wrapped again at once. */
const BATCH = 500;

type Row = Selectable<AccountsTables['accounts_wrapped_person_key']>;
type Kept = Pick<Row, 'mark' | 'generation' | 'wrapped' | 'is_current'>;

export class PersonKeys {
  readonly #db: Kysely<AccountsTables>;
  readonly #wrapping: WrappingKeys;
  readonly #known = new Map<AccountId, readonly Kept[]>();

  /** @param parts.db of connections that nothing else waits for: keys are read while a transaction of another connection is open */
  constructor(parts: { db: Kysely<AccountsTables>; wrapping: WrappingKeys }) {
    this.#db = parts.db;
    this.#wrapping = parts.wrapping;
  }

  /** Once, before the first call. What an earlier master key has wrapped is wrapped by the newest generation when this resolves. */
  async load(): Promise<void> {
    for (const generation of this.#wrapping.generations.slice(0, -1)) await this.#wrapAgain(generation);
    for (const row of await this.#db.selectFrom('accounts_wrapped_person_key').selectAll().execute()) {
      const account = accountId(row.account);
      this.#known.set(account, [...(this.#known.get(account) ?? []), row]);
    }
  }

  /** @param what is bound to the encrypted bytes: they open as this only. The key is in SQL before anything that is encrypted under it. */
  async encrypt(account: AccountId, bytes: Uint8Array, what: string): Promise<Buffer> {
    const key = await this.#current(account);
    const iv = Buffer.concat([markOf(key), randomBytes(IV_BYTES - MARK_BYTES)]);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(what));
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Undefined where the key is erased, also when the person has come back and has another one: a call that was under way may have written its row just
   * after the erasure. @throws Error when the bytes are not what was encrypted
   */
  async decrypt(account: AccountId, encrypted: Buffer, what: string): Promise<Buffer<ArrayBuffer> | undefined> {
    const known = await this.#openBy(this.#known.get(account) ?? [], { account, encrypted, what });
    // Another process may have made the key a moment ago.
    return known ?? this.#openBy(await this.#read(account), { account, encrypted, what });
  }

  /** What the service sealed before there was a key per person. */
  async takeOver(account: AccountId, sealed: Buffer, what: string): Promise<Buffer> {
    return this.encrypt(account, Buffer.from(this.#wrapping.own.open(sealed, what)), what);
  }

  /** From here on nothing that was encrypted under the key can be read. What is encrypted later has another key. */
  async erase(account: AccountId): Promise<void> {
    await this.#db.deleteFrom('accounts_wrapped_person_key').where('account', '=', account).execute();
    this.#known.delete(account);
  }

  /** The next use reads it again. @param account undefined: all of them */
  dropKnown(account?: AccountId): void {
    if (account === undefined) this.#known.clear();
    else this.#known.delete(account);
  }

  async #openBy(
    keys: readonly Kept[],
    { account, encrypted, what }: { account: AccountId; encrypted: Buffer; what: string },
  ): Promise<Buffer<ArrayBuffer> | undefined> {
    const mark = encrypted.subarray(0, MARK_BYTES);
    const marked = keys.find((kept) => kept.mark.equals(mark));
    if (marked !== undefined) return decipher(await this.#unwrap(account, marked), encrypted, what);
    // What was encrypted before there was a mark; a fault in it looks like another key.
    for (const kept of keys) {
      try {
        return decipher(await this.#unwrap(account, kept), encrypted, what);
      } catch {}
    }
    return undefined;
  }

  async #current(account: AccountId): Promise<Buffer> {
    const isCurrent = ({ is_current }: Kept): boolean => is_current;
    const there = (await this.#read(account)).find(isCurrent);
    if (there !== undefined) return this.#unwrap(account, there);
    await insertKey(this.#db, { account, key: newKey(), wrapping: this.#wrapping, isCurrent: true });
    // Of two at once the first stands.
    const made = (await this.#read(account)).find(isCurrent);
    if (made === undefined) throw new Error(`the key of account ${account} was erased while it was made`);
    return this.#unwrap(account, made);
  }

  async #read(account: AccountId): Promise<readonly Kept[]> {
    const rows = await this.#db.selectFrom('accounts_wrapped_person_key').selectAll().where('account', '=', account).execute();
    if (rows.length === 0) this.#known.delete(account);
    else this.#known.set(account, rows);
    return rows;
  }

  async #unwrap(account: AccountId, { generation, wrapped }: Kept): Promise<Buffer> {
    return (await this.#wrapping.box(generation)).openBytes(wrapped, ownerOf(account));
  }

  /** Row by row: a kill in between leaves rows of both generations, which open, and the next start goes on. */
  async #wrapAgain(generation: number): Promise<void> {
    const [before, after] = [await this.#wrapping.box(generation), await this.#wrapping.box(this.#wrapping.newest)];
    for (;;) {
      const rows = await this.#db
        .selectFrom('accounts_wrapped_person_key')
        .selectAll()
        .where('generation', '=', generation)
        .limit(BATCH)
        .execute();
      for (const { account, mark, wrapped } of rows) {
        const owner = ownerOf(accountId(account));
        const again = { wrapped: after.sealBytes(before.openBytes(wrapped, owner), owner), generation: this.#wrapping.newest };
        await this.#db
          .updateTable('accounts_wrapped_person_key')
          .set(again)
          .where('account', '=', account)
          .where('mark', '=', mark)
          .where('generation', '=', generation)
          .execute();
      }
      if (rows.length < BATCH) break;
    }
    await this.#wrapping.forget(generation);
  }
}

/** Where the account has one of the same mark, or a current one and this is to be it, that one stands. */
export async function insertKey(
  db: Kysely<AccountsTables>,
  { account, key, wrapping, isCurrent }: { account: AccountId; key: Buffer; wrapping: WrappingKeys; isCurrent: boolean },
): Promise<void> {
  const generation = wrapping.newest;
  const wrapped = (await wrapping.box(generation)).sealBytes(key, ownerOf(account));
  await db
    .insertInto('accounts_wrapped_person_key')
    .values({ account, mark: markOf(key), wrapped, generation, is_current: isCurrent })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function decipher(key: Buffer, encrypted: Buffer, what: string): Buffer<ArrayBuffer> {
  const opening = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  opening.setAAD(Buffer.from(what)).setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES));
  return Buffer.concat([opening.update(encrypted.subarray(IV_BYTES, encrypted.length - TAG_BYTES)), opening.final()]);
}

const markOf = (key: Buffer): Buffer => createHmac('sha256', key).update('mark').digest().subarray(0, MARK_BYTES);

const ownerOf = (account: AccountId): string => `person ${account}`;
