/**
 * A key per person, sealed by the master key, in a file of its own: once it is overwritten there, nothing that was encrypted under it can be read.
 * No database, and so no dump of one and no log of its changes, ever has it.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { accountId, type AccountId, assert } from '@orrery/units';
import type { SecretBox } from './sealed-secret.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first bytes of what is encrypted say under which of the keys of one account. */
const MARK_BYTES = 4;
/** The place of a key is found by the number of its account. No place crosses a sector of the disk. */
const PLACE_BYTES = 128;
/** Its base64, sealed. */
const SEALED_BYTES = IV_BYTES + 4 * Math.ceil(KEY_BYTES / 3) + TAG_BYTES;
const EMPTY = Buffer.alloc(PLACE_BYTES);

export class PersonKeys {
  readonly #file: FileHandle;
  readonly #box: Pick<SecretBox, 'seal' | 'open'>;
  readonly #sealed: Map<AccountId, Buffer>;
  /** One write at a time. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(parts: { file: FileHandle; box: Pick<SecretBox, 'seal' | 'open'>; sealed: Map<AccountId, Buffer> }) {
    this.#file = parts.file;
    this.#box = parts.box;
    this.#sealed = parts.sealed;
  }

  /** Makes the file (mode 0600) when there is none. */
  static async open({ path, box }: { path: string; box: Pick<SecretBox, 'seal' | 'open'> }): Promise<PersonKeys> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const bytes = await file.readFile();
    const sealed = new Map<AccountId, Buffer>();
    for (let place = 0; place + SEALED_BYTES <= bytes.length; place += PLACE_BYTES) {
      const key = bytes.subarray(place, place + SEALED_BYTES);
      if (!key.equals(EMPTY.subarray(0, SEALED_BYTES))) sealed.set(accountId(place / PLACE_BYTES), Buffer.from(key));
    }
    const folder = await open(dirname(path));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return new PersonKeys({ file, box, sealed });
  }

  /** @param what is bound to the encrypted bytes: they open as this only. The key is on the disk before anything that is encrypted under it. */
  async encrypt(account: AccountId, bytes: Uint8Array, what: string): Promise<Buffer> {
    const key = this.#find(account) ?? (await this.#make(account));
    const iv = Buffer.concat([markOf(key), randomBytes(IV_BYTES - MARK_BYTES)]);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(what));
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Undefined where the key is erased, also when the person has come back and has another one: a call that was under way may have written its row just
   * after the erasure. @throws Error when the bytes are not what was encrypted
   */
  decrypt(account: AccountId, encrypted: Buffer, what: string): Buffer<ArrayBuffer> | undefined {
    const key = this.#find(account);
    if (key === undefined) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(what)).setAuthTag(encrypted.subarray(encrypted.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES, encrypted.length - TAG_BYTES)), decipher.final()]);
    } catch (error) {
      // What was encrypted before there was a mark is opened above; a fault in it looks like another key.
      if (!encrypted.subarray(0, MARK_BYTES).equals(markOf(key))) return undefined;
      throw error;
    }
  }

  /** What the master key sealed before there was a key per person. */
  async takeOver(account: AccountId, sealed: Buffer, what: string): Promise<Buffer> {
    return this.encrypt(account, Buffer.from(this.#box.open(sealed, what)), what);
  }

  /** Sealed keys of before they had a file. One that has its place already is kept. */
  async takeOverKeys(rows: readonly { readonly account: AccountId; readonly sealed: Buffer }[]): Promise<void> {
    for (const { account, sealed } of rows) if (!this.#sealed.has(account)) await this.#write(account, sealed);
  }

  /** From here on nothing that was encrypted under the key can be read. What is encrypted later has another key. */
  async erase(account: AccountId): Promise<void> {
    this.#sealed.delete(account);
    await this.#write(account, undefined);
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  #find(account: AccountId): Buffer | undefined {
    const sealed = this.#sealed.get(account);
    return sealed === undefined ? undefined : Buffer.from(this.#box.open(sealed, ownerOf(account)), 'base64');
  }

  /** Of two at once the first is kept. */
  async #make(account: AccountId): Promise<Buffer> {
    await this.#write(account, this.#box.seal(randomBytes(KEY_BYTES).toString('base64'), ownerOf(account)), 'unlessThere');
    const key = this.#find(account);
    if (key === undefined) throw new Error(`the key of account ${account} was erased while it was made`);
    return key;
  }

  #write(account: AccountId, sealed: Buffer | undefined, condition?: 'unlessThere'): Promise<void> {
    const written = this.#writing.then(async () => {
      if (condition === 'unlessThere' && this.#sealed.has(account)) return;
      assert(sealed === undefined || sealed.length === SEALED_BYTES, 'a sealed key has one length');
      const place = Buffer.from(EMPTY);
      sealed?.copy(place);
      await this.#file.write(place, 0, PLACE_BYTES, account * PLACE_BYTES);
      await this.#file.datasync();
      if (sealed !== undefined) this.#sealed.set(account, sealed);
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

const markOf = (key: Buffer): Buffer => createHmac('sha256', key).update('mark').digest().subarray(0, MARK_BYTES);

const ownerOf = (account: AccountId): string => `person ${account}`;
