/**
 * Writes exports: a bounded step of one job after the other, the one that waits longest first. A step is one transaction, of the job's row, which it locks, the rows
 * that are read, the lines that come of them and how far the job is: a program that was killed goes on where it stopped, and of several processes one does a step.
 */
import { EXPORT_KEPT_DAYS, EXPORT_ROWS_MAX, type ExportFileName } from '@orrery/api';
import { systemTimer, type Timer } from '@orrery/foundation';
import { StopSignal } from '@orrery/views';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ProjectorTables } from './tables.ts';
import { headerOf } from './export-csv.ts';
import { type Listed, Terms } from './export-terms.ts';
import type { ExportRow } from './export-tables.ts';
import { countRows, readStep } from './export-step.ts';

const DAY_MS = 86_400_000;
/** Between two looks for what a process has begun that was killed. */
const IDLE_MS = 30_000;
/** Between two looks for what is too old, while nothing waits. */
const OLD_MS = 600_000;
/** While history is behind a job, others need the processors more, or the database does not answer. */
const PAUSE_MS = 200;
/** Then the job has failed. */
const TRIES = 5;
/** Of PostgreSQL: another process has changed the row since this transaction began to read. */
const CHANGED_MEANWHILE = '40001';

export interface ExportWriterParts {
  readonly db: Kysely<ProjectorTables>;
  readonly listed: () => Listed;
  readonly onTrouble: (error: unknown) => void;
  readonly now: () => number;
  readonly isBusy?: () => boolean;
  readonly timer?: Timer;
}

export interface ExportWriter {
  /** There is something to write. */
  wake(): void;
  stop(): Promise<void>;
}

export function startExportWriter(parts: ExportWriterParts): ExportWriter {
  const running = new RunningWriter(parts);
  running.start();
  return running;
}

type Job = Selectable<ExportRow>;
type Tx = Transaction<ProjectorTables>;

class RunningWriter implements ExportWriter {
  readonly #parts: ExportWriterParts;
  readonly #signal = new StopSignal();
  #wanted = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  /** Failed tries of the job at work. */
  #tries = { exportId: '', count: 0 };
  /** Undefined until it was looked for what is too old. */
  #lookedAt: number | undefined;

  constructor(parts: ExportWriterParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#wanted.resolve();
  }

  async stop(): Promise<void> {
    this.#signal.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#signal.isStopped) {
      this.#wanted = Promise.withResolvers();
      const done = await this.#next().catch((error: unknown) => {
        this.#parts.onTrouble(error);
        return 'waits' as const;
      });
      if (done === 'idle') await this.#pause(IDLE_MS, this.#wanted.promise);
      else if (done === 'waits' || this.#parts.isBusy?.() === true) await this.#pause(PAUSE_MS);
    }
  }

  async #next(): Promise<'stepped' | 'waits' | 'idle'> {
    let taken: Job | undefined;
    try {
      const done = await this.#parts.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          taken = await take(tx);
          return taken === undefined ? undefined : this.#step(tx, taken);
        });
      if (done !== undefined) return done;
      await this.#dropOld();
      return 'idle';
    } catch (error) {
      if (isChangedMeanwhile(error)) return 'waits';
      if (taken === undefined) throw error;
      await this.#failed(taken, error);
      return 'waits';
    }
  }

  async #dropOld(): Promise<void> {
    const { db, now } = this.#parts;
    const at = now();
    if (this.#lookedAt !== undefined && at - this.#lookedAt < OLD_MS) return;
    await db
      .deleteFrom('projector_export')
      .where('created_at', '<=', at - EXPORT_KEPT_DAYS * DAY_MS)
      .execute();
    this.#lookedAt = at;
  }

  async #step(tx: Tx, job: Job): Promise<'stepped' | 'waits'> {
    const at = this.#parts.now();
    const { seq } = await tx.selectFrom('projector_offset').select('seq').executeTakeFirstOrThrow();
    if (seq < job.until_seq) {
      // Others are not held up by it.
      await change(tx, job, { stepped_at: at });
      return 'waits';
    }
    const parts = { db: tx, job, terms: new Terms(this.#parts.listed()) };
    const toScan =
      job.state === 'running' ? job.to_scan : await sum(job.files.map((file) => () => countRows(file as ExportFileName, parts)));
    const file = job.files[job.file_index] as ExportFileName;
    const { lines, scanned, cursor, isEnd } = await readStep(file, parts);
    const rows = job.rows + lines.length;
    const text = (job.pieces === 0 ? headerOf(file) : '') + lines.join('');
    if (rows > EXPORT_ROWS_MAX) {
      await tx.deleteFrom('projector_export_piece').where('export_id', '=', job.export_id).execute();
      await change(tx, job, { state: 'failed', failure: 'TOO_LARGE', finished_at: at });
      return 'stepped';
    }
    if (text !== '') {
      const piece = { export_id: job.export_id, file, number: job.pieces, rows: lines.length, bytes: Buffer.byteLength(text), text };
      await tx.insertInto('projector_export_piece').values(piece).execute();
    }
    const isLast = isEnd && job.file_index + 1 === job.files.length;
    await change(tx, job, {
      state: isLast ? 'ready' : 'running',
      ...(isEnd ? { file_index: job.file_index + 1, cursor: 0, pieces: 0 } : { cursor, pieces: job.pieces + (text === '' ? 0 : 1) }),
      rows,
      scanned: job.scanned + scanned,
      to_scan: toScan,
      finished_at: isLast ? at : null,
      stepped_at: at,
    });
    return 'stepped';
  }

  async #failed(job: Job, error: unknown): Promise<void> {
    const { db, now, onTrouble } = this.#parts;
    onTrouble(error);
    const { exportId, count } = this.#tries;
    this.#tries = { exportId: job.export_id, count: exportId === job.export_id ? count + 1 : 1 };
    if (this.#tries.count < TRIES) return;
    this.#tries = { exportId: '', count: 0 };
    await db.transaction().execute(async (tx) => {
      // Not what another process has gone on with.
      const still = await tx
        .selectFrom('projector_export')
        .selectAll()
        .where('export_id', '=', job.export_id)
        .forUpdate()
        .executeTakeFirst();
      if (still?.stepped_at !== job.stepped_at || still.scanned !== job.scanned || still.state !== job.state) return;
      await tx.deleteFrom('projector_export_piece').where('export_id', '=', job.export_id).execute();
      await change(tx, job, { state: 'failed', failure: 'ERROR', finished_at: now() });
    });
  }

  /** At most this long; a stop ends it. */
  async #pause(ms: number, cutShort?: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const takeBack = (this.#parts.timer ?? systemTimer)(resolve, ms);
    void cutShort?.then(resolve);
    await this.#signal.race(promise);
    takeBack();
  }
}

/** The job that waits longest of those at which no other process is; its row is locked until the transaction ends. */
const take = (tx: Tx): Promise<Job | undefined> =>
  tx
    .selectFrom('projector_export')
    .selectAll()
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('stepped_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

const isChangedMeanwhile = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === CHANGED_MEANWHILE;

const change = (tx: Tx, job: Job, set: Partial<ExportRow>) =>
  tx.updateTable('projector_export').set(set).where('export_id', '=', job.export_id).execute();

async function sum(counts: readonly (() => Promise<number>)[]): Promise<number> {
  let total = 0;
  for (const count of counts) total += await count();
  return total;
}

/** History is empty: what was begun begins again, when history is as far as it was. */
export async function restartExports(tx: Tx): Promise<void> {
  const { rows } = await sql<{ export_id: string }>`
    update projector_export set state = 'waiting', file_index = 0, cursor = 0, pieces = 0, rows = 0, scanned = 0, to_scan = 0, restarts = restarts + 1
    where state = 'running' returning export_id`.execute(tx);
  for (const { export_id: id } of rows) await tx.deleteFrom('projector_export_piece').where('export_id', '=', id).execute();
}
