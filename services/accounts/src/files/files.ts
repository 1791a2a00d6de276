/** The files of people: judged, made harmless, encrypted under the key of their owner, handed out by links that are good for a minute. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  ApiError,
  FILE_BYTES_MAX,
  FILE_LINK_SECONDS,
  type fileRoutes,
  type FileType,
  FILES_BYTES_MAX,
  FILES_MAX,
  type QueryOf,
  SentFile,
  type StoredFile,
} from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AccountsTables } from '../tables.ts';
import type { FileStore } from './file-store.ts';
import { EXTENSIONS, typeOf } from './file-type.ts';
import { encodedAgain, watermarked } from './images.ts';
import { checkPdf } from './pdf.ts';
import type { PersonKeys } from '../person-keys.ts';

const ID_BYTES = 16;
/** Of what people hand in by the calls about files. */
const HANDED_IN = 'identity';

interface FilesParts {
  readonly db: Kysely<AccountsTables>;
  readonly store: FileStore;
  readonly keys: PersonKeys;
  readonly linkKey: Buffer;
  readonly now: () => number;
}

type LinkQuery = QueryOf<(typeof fileRoutes)['downloadFile']>;

export class Files {
  readonly #parts: FilesParts;

  constructor(parts: FilesParts) {
    this.#parts = parts;
  }

  /**
   * @param purpose of another service, which counts and removes what it takes: it is in no list here
   * @throws ApiError FileRefused with the reason, TooMany, Overloaded; then nothing is kept.
   */
  async take(account: AccountId, sent: SentFile, purpose: string = HANDED_IN): Promise<StoredFile> {
    const { db, keys, store, now } = this.#parts;
    const isCounted = purpose === HANDED_IN;
    // Before the work, and again with the row.
    if (isCounted) await checkRoom(db, account, 0);
    const { type, bytes } = await harmless(sent);
    const fileId = randomBytes(ID_BYTES).toString('hex');
    const createdTime = now();
    await store.put(fileId, await keys.encrypt(account, bytes, fileId));
    try {
      await db.transaction().execute(async (tx) => {
        await lockFiles(tx, account);
        if (isCounted) await checkRoom(tx, account, bytes.length);
        await tx
          .insertInto('accounts_file')
          .values({ file_id: fileId, account, type, bytes: bytes.length, created_at: createdTime, purpose })
          .execute();
      });
    } catch (error) {
      await store.remove(fileId);
      throw error;
    }
    return { fileId, type, bytes: bytes.length, createdTime };
  }

  /** Newest first. */
  async list(account: AccountId): Promise<StoredFile[]> {
    const rows = await this.#parts.db
      .selectFrom('accounts_file')
      .selectAll()
      .where('account', '=', account)
      .where('purpose', '=', HANDED_IN)
      .orderBy('created_at', 'desc')
      .orderBy('file_id')
      .execute();
    return rows.map((row) => ({ fileId: row.file_id, type: row.type as FileType, bytes: row.bytes, createdTime: row.created_at }));
  }

  /**
   * @param reviewer the number of the operator for whom it is: images have it across them
   * @throws ApiError UnknownThing unless it is a file of the account.
   */
  async link(account: AccountId, fileId: string, reviewer?: string): Promise<{ url: string; expiresTime: number }> {
    const row = await this.#find(fileId);
    if (row?.account !== account) throw unknown();
    const expiresTime = this.#parts.now() + FILE_LINK_SECONDS * 1_000;
    const signature = this.#signature({ fileId, expires: expiresTime, reviewer });
    const query = new URLSearchParams({ fileId, expires: String(expiresTime), ...(reviewer !== undefined && { reviewer }), signature });
    return { url: `/pro/p/file/download?${query.toString()}`, expiresTime };
  }

  /** @throws ApiError UnknownThing when the link is not ours, over, or its file gone. */
  async download({ fileId, expires, reviewer, signature }: LinkQuery): Promise<SentFile> {
    const { keys, store, now } = this.#parts;
    const expected = Buffer.from(this.#signature({ fileId, expires, reviewer }));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || expires <= now()) throw unknown();
    const row = await this.#find(fileId);
    const encrypted = row === undefined ? undefined : await store.get(fileId);
    if (row === undefined || encrypted === undefined) throw unknown();
    const bytes = await keys.decrypt(accountId(row.account), encrypted, fileId);
    if (bytes === undefined) throw unknown();
    const type = row.type as FileType;
    const shown = reviewer === undefined || type === 'application/pdf' ? bytes : await watermarked(bytes, type, markOf(reviewer, now()));
    return new SentFile(type, new Uint8Array(shown), `${fileId}.${EXTENSIONS[type]}`);
  }

  /** What another service took: removed again nothing happens. */
  async drop(account: AccountId, fileId: string, purpose: string): Promise<void> {
    const { db, store } = this.#parts;
    await db
      .deleteFrom('accounts_file')
      .where('account', '=', account)
      .where('file_id', '=', fileId)
      .where('purpose', '=', purpose)
      .execute();
    await store.remove(fileId);
  }

  /** @throws ApiError UnknownThing unless it is a file of the account, FileRefused while an identity needs it. */
  async remove(account: AccountId, fileId: string): Promise<void> {
    await this.#parts.db.transaction().execute(async (tx) => {
      await lockFiles(tx, account);
      const { numDeletedRows } = await tx
        .deleteFrom('accounts_file')
        .where('account', '=', account)
        .where('file_id', '=', fileId)
        .where('purpose', '=', HANDED_IN)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw unknown();
      const identity = await tx
        .selectFrom('accounts_identity')
        .select('file_ids')
        .where('account', '=', account)
        .where('state', '!=', 'SENT_BACK')
        .executeTakeFirst();
      if (identity?.file_ids.includes(fileId) === true) throw refused('the file is part of your identity, which is handed in or approved');
    });
    await this.#parts.store.remove(fileId);
  }

  #find(fileId: string) {
    return this.#parts.db.selectFrom('accounts_file').select(['account', 'type']).where('file_id', '=', fileId).executeTakeFirst();
  }

  #signature({ fileId, expires, reviewer = '' }: { fileId: string; expires: number; reviewer: string | undefined }): string {
    return createHmac('sha256', this.#parts.linkKey).update(`${fileId} ${expires} ${reviewer}`).digest('base64url');
  }
}

/** To the second, in UTC. */
const markOf = (reviewer: string, at: number): string => `${reviewer} ${new Date(at).toISOString().slice(0, 19)}Z`;

/** One at a time of an account: many uploads at once pass no limit, and no file is deleted while it is handed in. */
export async function lockFiles(tx: Transaction<AccountsTables>, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('accounts_file'), ${account}::int)`.execute(tx);
}

const unknown = (): ApiError => new ApiError('UnknownThing', { field: 'file' });

/** What is kept of a file. @throws ApiError FileRefused with the reason. */
async function harmless({ type: declared, bytes: sent }: SentFile): Promise<{ type: FileType; bytes: Buffer }> {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  if (bytes.length === 0) throw refused('the file is empty');
  if (bytes.length > FILE_BYTES_MAX) throw refused('the file has more than 5 MiB');
  const type = typeOf(bytes);
  if (type === undefined) throw refused('the file is no JPEG, PNG, WebP or PDF');
  if (type !== declared) throw refused(`the file is ${type}, and was sent as another type`);
  if (type !== 'application/pdf') return { type, bytes: await encodedAgain(bytes, type) };
  checkPdf(bytes);
  return { type, bytes };
}

const refused = (message: string): ApiError => new ApiError('FileRefused', { field: 'file', message });

async function checkRoom(db: Kysely<AccountsTables> | Transaction<AccountsTables>, account: AccountId, bytes: number): Promise<void> {
  const rows = await db
    .selectFrom('accounts_file')
    .select('bytes')
    .where('account', '=', account)
    .where('purpose', '=', HANDED_IN)
    .execute();
  if (rows.length >= FILES_MAX)
    throw new ApiError('TooMany', { field: 'files', message: 'an account has at most 20 files: delete one first' });
  if (rows.reduce((sum, row) => sum + row.bytes, bytes) > FILES_BYTES_MAX)
    throw new ApiError('TooMany', { field: 'files', message: 'the files of an account have at most 50 MiB: delete one first' });
}
