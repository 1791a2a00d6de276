/** A key per person, sealed by the master key, in a table of its own: once its row is gone, nothing that was encrypted under it can be read. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AccountId } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { SecretBox } from './sealed-secret.ts';
import type { AccountsTables } from './tables.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Rows = Kysely<AccountsTables> | Transaction<AccountsTables>;

export class PersonKeys {
  readonly #db: Kysely<AccountsTables>;
  readonly #box: Pick<SecretBox, 'seal' | 'open'>;

  constructor(parts: { db: Kysely<AccountsTables>; box: Pick<SecretBox, 'seal' | 'open'> }) {
    this.#db = parts.db;
    this.#box = parts.box;
  }

  /**
   * @param what is bound to the encrypted bytes: they open as this only.
   * @param rows the transaction in which the bytes are written, where there is one: a key made in it goes back with it.
   */
  async encrypt(account: AccountId, bytes: Uint8Array, what: string, rows: Rows = this.#db): Promise<Buffer> {
    const key = (await this.#find(account, rows)) ?? (await this.#make(account, rows));
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(what));
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Undefined where the key is erased. @throws Error when the bytes are not what was encrypted */
  async decrypt(account: AccountId, encrypted: Buffer, what: string, rows: Rows = this.#db): Promise<Buffer<ArrayBuffer> | undefined> {
    const key = await this.#find(account, rows);
    return key === undefined ? undefined : decryptWith(key, encrypted, what);
  }

  /** What the master key sealed before there was a key per person. */
  async takeOver(account: AccountId, sealed: Buffer, what: string, tx: Transaction<AccountsTables>): Promise<Buffer> {
    return this.encrypt(account, Buffer.from(this.#box.open(sealed, what)), what, tx);
  }

  /** Of many at once, whose sealed keys were read with them. @throws Error when the bytes are not what was encrypted */
  decryptUnder({ account, sealed }: { account: AccountId; sealed: Buffer }, encrypted: Buffer, what: string): Buffer<ArrayBuffer> {
    return decryptWith(this.#open(account, sealed), encrypted, what);
  }

  /** From here on nothing that was encrypted under the key can be read. What is encrypted later has another key. */
  async erase(account: AccountId, tx: Transaction<AccountsTables>): Promise<void> {
    await tx.deleteFrom('accounts_person_key').where('account', '=', account).execute();
  }

  async #find(account: AccountId, rows: Rows): Promise<Buffer | undefined> {
    const row = await rows.selectFrom('accounts_person_key').select('sealed').where('account', '=', account).executeTakeFirst();
    return row === undefined ? undefined : this.#open(account, row.sealed);
  }

  #open(account: AccountId, sealed: Buffer): Buffer {
    return Buffer.from(this.#box.open(sealed, ownerOf(account)), 'base64');
  }

  /** Of two at once the first is kept. */
  async #make(account: AccountId, rows: Rows): Promise<Buffer> {
    const sealed = this.#box.seal(randomBytes(KEY_BYTES).toString('base64'), ownerOf(account));
    await rows
      .insertInto('accounts_person_key')
      .values({ account, sealed })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
    const key = await this.#find(account, rows);
    if (key === undefined) throw new Error(`the key of account ${account} was erased while it was made`);
    return key;
  }
}

const ownerOf = (account: AccountId): string => `person ${account}`;

function decryptWith(key: Buffer, encrypted: Buffer, what: string): Buffer<ArrayBuffer> {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(what)).setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, encrypted.length - TAG_BYTES)), decipher.final()]);
}
