/** The exports of people: made on request, listed, downloaded piece by piece, deleted with the person. The writer of their files is `export-writer.ts`. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  ApiError,
  type BodyOf,
  type Export,
  type ExportFileName,
  type ExportKind,
  type ExportLayout,
  EXPORT_KEPT_DAYS,
  EXPORT_KINDS,
  EXPORT_LINK_SECONDS,
  EXPORTS_PER_DAY,
  type exportRoutes,
  type QueryOf,
  SentPieces,
} from '@orrery/api';
import { type Wallet, WALLETS } from '@orrery/protocol';
import type { AccountId, Seq } from '@orrery/units';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ProjectorTables } from './tables.ts';
import type { ExportRow } from './export-tables.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = EXPORT_KEPT_DAYS * DAY_MS;
const ID_BYTES = 16;

interface ExportJobsParts {
  readonly db: Kysely<ProjectorTables>;
  /** The newest durable command: an export is complete up to it. */
  readonly seq: () => Seq;
  readonly now: () => number;
  /** Under which links are signed: of 32 bytes, the same in every process on the database. */
  readonly linkKey: Buffer;
  /** Called when there is something to write. */
  readonly onWaiting: () => void;
}

type LinkQuery = QueryOf<(typeof exportRoutes)['downloadExport']>;
type Job = Selectable<ExportRow>;

interface FileOfExport {
  readonly exportId: string;
  readonly file: ExportFileName;
}

export class ExportJobs {
  readonly #parts: ExportJobsParts;

  constructor(parts: ExportJobsParts) {
    this.#parts = parts;
  }

  /** @throws ApiError AlreadyThere while another is made, TooMany within a day, MalformedField where the period ends before it begins. */
  async create(account: AccountId, wanted: BodyOf<(typeof exportRoutes)['createExport']>): Promise<Export> {
    const { db, seq, now, onWaiting } = this.#parts;
    const { layout = 'ORRERY', startTime = null, endTime = null, kinds, accounts = WALLETS } = wanted;
    if (startTime !== null && endTime !== null && endTime < startTime) throw new ApiError('MalformedField', { field: 'endTime' });
    if (layout !== 'ORRERY' && kinds !== undefined) throw new ApiError('MalformedField', { field: 'kinds' });
    const at = now();
    const { count } = await db
      .selectFrom('projector_export')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .where('created_at', '>', at - DAY_MS)
      .where('state', '<>', 'failed')
      .executeTakeFirstOrThrow();
    if (count >= EXPORTS_PER_DAY)
      throw new ApiError('TooMany', { field: 'export', message: `an account makes at most ${EXPORTS_PER_DAY} exports in 24 hours` });
    const row: Job = {
      export_id: randomBytes(ID_BYTES).toString('hex'),
      account,
      layout,
      start_at: startTime,
      end_at: endTime,
      wallets: WALLETS.filter((wallet) => accounts.includes(wallet)),
      files: filesOf(layout, kinds),
      until_seq: seq(),
      created_at: at,
      ...beginning(at),
      restarts: 0,
    };
    const written = await db
      .insertInto('projector_export')
      .values(row)
      .onConflict((conflict) => conflict.column('account').where('state', 'in', ['waiting', 'running']).doNothing())
      .returning('export_id')
      .executeTakeFirst();
    if (written === undefined) throw atWork();
    onWaiting();
    return exportText(row, []);
  }

  /** Newest first. */
  async list(account: AccountId): Promise<Export[]> {
    const { db, now } = this.#parts;
    const rows = await db
      .selectFrom('projector_export')
      .selectAll()
      .where('account', '=', account)
      .where('created_at', '>', now() - KEPT_MS)
      .orderBy('created_at', 'desc')
      .execute();
    if (rows.length === 0) return [];
    const files = await db
      .selectFrom('projector_export_piece')
      .select(['export_id', 'file', sql<number>`sum(rows)`.as('rows'), sql<number>`sum(bytes)`.as('bytes')])
      .where(
        'export_id',
        'in',
        rows.map((row) => row.export_id),
      )
      .groupBy(['export_id', 'file'])
      .execute();
    return rows.map((row) =>
      exportText(
        row,
        files.filter((file) => file.export_id === row.export_id),
      ),
    );
  }

  /** @throws ApiError UnknownThing unless it is one of the account that has failed, AlreadyThere while another is made. */
  async retry(account: AccountId, exportId: string): Promise<Export> {
    const { db, seq, now, onWaiting } = this.#parts;
    const failed = await this.#find(account, exportId);
    if (failed?.state !== 'failed') throw unknown();
    const isBusy = await db
      .selectFrom('projector_export')
      .select('export_id')
      .where('account', '=', account)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (isBusy !== undefined) throw atWork();
    const row = await db
      .updateTable('projector_export')
      .set({ ...beginning(now()), until_seq: seq(), restarts: failed.restarts + 1 })
      .where('export_id', '=', exportId)
      .where('state', '=', 'failed')
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw unknown();
    onWaiting();
    return exportText(row, []);
  }

  /** @throws ApiError UnknownThing unless it is a file of an export of the account that is ready. */
  async link(account: AccountId, { exportId, file }: FileOfExport): Promise<{ url: string; expiresTime: number }> {
    const job = await this.#find(account, exportId);
    if (job?.state !== 'ready' || !job.files.includes(file)) throw unknown();
    const expiresTime = this.#parts.now() + EXPORT_LINK_SECONDS * 1_000;
    const query = new URLSearchParams({
      exportId,
      file,
      expires: String(expiresTime),
      signature: this.#signature({ exportId, file, expires: expiresTime }),
    });
    return { url: `/pro/p/export/download?${query.toString()}`, expiresTime };
  }

  /** @throws ApiError UnknownThing when the link is not ours, over, or its export gone. */
  async download({ exportId, file, expires, signature }: LinkQuery): Promise<SentPieces> {
    const { db, now } = this.#parts;
    const expected = Buffer.from(this.#signature({ exportId, file, expires }));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || expires <= now()) throw unknown();
    const pieces = await db
      .selectFrom('projector_export_piece')
      .select(['number', 'bytes'])
      .where('export_id', '=', exportId)
      .where('file', '=', file)
      .orderBy('number')
      .execute();
    if (pieces.length === 0) throw unknown();
    return new SentPieces({
      type: 'text/csv',
      name: `orrery-${file}-${exportId.slice(0, 8)}.csv`,
      bytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
      pieces: piecesOf(db, { exportId, file, numbers: pieces.map(({ number }) => number) }),
    });
  }

  /** Everything of the person; again it changes nothing. */
  async erase({ account }: { readonly account: AccountId }): Promise<void> {
    await this.#parts.db.deleteFrom('projector_export').where('account', '=', account).execute();
  }

  #find(account: AccountId, exportId: string): Promise<Job | undefined> {
    const { db } = this.#parts;
    return db
      .selectFrom('projector_export')
      .selectAll()
      .where('export_id', '=', exportId)
      .where('account', '=', account)
      .executeTakeFirst();
  }

  #signature({ exportId, file, expires }: FileOfExport & { readonly expires: number }): string {
    return createHmac('sha256', this.#parts.linkKey).update(`${exportId} ${file} ${expires}`).digest('base64url');
  }
}

/** One after the other, so that no more than one is in memory. @throws Error where it has gone meanwhile: the download ends as a broken one. */
async function* piecesOf(
  db: Kysely<ProjectorTables>,
  { exportId, file, numbers }: FileOfExport & { readonly numbers: readonly number[] },
): AsyncGenerator<Uint8Array> {
  for (const number of numbers) {
    const { text } = await db
      .selectFrom('projector_export_piece')
      .select('text')
      .where('export_id', '=', exportId)
      .where('file', '=', file)
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    yield Buffer.from(text);
  }
}

/** What a job is before anything is written. */
export const beginning = (at: number) => ({
  state: 'waiting',
  failure: null,
  file_index: 0,
  cursor: 0,
  pieces: 0,
  rows: 0,
  scanned: 0,
  to_scan: 0,
  finished_at: null,
  stepped_at: at,
});

const filesOf = (layout: ExportLayout, kinds: readonly ExportKind[] = EXPORT_KINDS): string[] =>
  layout === 'ORRERY' ? EXPORT_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => kind.toLowerCase()) : [layout.toLowerCase()];

const unknown = (): ApiError => new ApiError('UnknownThing', { field: 'export' });

const atWork = (): ApiError =>
  new ApiError('AlreadyThere', { field: 'export', message: 'an export of this account is being made: wait until it is ready' });

interface WrittenFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

function exportText(row: Job, written: readonly WrittenFile[]): Export {
  return {
    exportId: row.export_id,
    layout: row.layout as ExportLayout,
    startTime: row.start_at,
    endTime: row.end_at,
    accounts: row.wallets as Wallet[],
    kinds: row.layout === 'ORRERY' ? row.files.map((file) => file.toUpperCase() as ExportKind) : [],
    state: row.state.toUpperCase() as Export['state'],
    progress: row.state === 'ready' ? 100 : progressOf(row),
    rows: row.rows,
    restarts: row.restarts,
    failure: row.failure as Export['failure'],
    files: row.files.flatMap((file) => {
      const found = written.find((each) => each.file === file);
      return found === undefined ? [] : [{ file: file as ExportFileName, rows: found.rows, bytes: found.bytes }];
    }),
    createdTime: row.created_at,
    finishedTime: row.finished_at,
    expiresTime: row.state === 'ready' ? row.created_at + KEPT_MS : null,
  };
}

/** What is not done yet is below 100, whatever the estimate was. */
const progressOf = ({ scanned, to_scan: toScan }: Job): number => (toScan === 0 ? 0 : Math.min(99, Math.floor((100 * scanned) / toScan)));
