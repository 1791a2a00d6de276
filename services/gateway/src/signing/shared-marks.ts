/**
 * Signed calls that were taken, by all processes that share a database: a row for each, written before the call is acted on. The table is not in the log of the
 * database, so that a row costs no wait for a disk. A crash of the server empties it; then nothing is known of what was signed before, and that is refused.
 */
import { hash } from 'node:crypto';
import { ApiError, RECEIVE_WINDOW_MS, TIMESTAMP_AHEAD_MS } from '@orrery/api';

/** The SQL database, by connections of its own: no transaction of others keeps an order waiting. */
export interface MarkStore {
  query(statement: { name?: string; text: string; values?: unknown[] }): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface TakenCall {
  readonly accessKey: string;
  readonly signature: Buffer;
  /** Unix milliseconds. */
  readonly timestamp: number;
  /** A legacy read, which can be repeated for a second. */
  readonly isLegacyRead: boolean;
}

interface Row {
  readonly uses: number;
  readonly legacy_read: boolean;
  readonly taken_at: number;
  /** What was signed up to then may have been taken and is not known; null when the table was emptied. */
  readonly since: number | null;
}

const MARK_BYTES = 16;
/** A wall clock that is set back by less refuses nobody. */
const KEPT_MS = 600_000;
const SWEEP_MS = 60_000;
const LEGACY_READ_MS = 1_000;
const RETRY_SECONDS = 1;

const TAKE = `insert into gateway_mark as known (mark, signed_at, taken_at, legacy_read) values ($1, $2, $3, $4)
  on conflict (mark) do update set uses = known.uses + 1
  returning uses, legacy_read, taken_at, (select since from gateway_mark_since) as since`;
const BEGIN = 'insert into gateway_mark_since (id, since) values (1, $1) on conflict do nothing';
const SINCE = 'select since from gateway_mark_since';
const RAISE = 'update gateway_mark_since set since = greatest(since, $1)';
const FORGET = 'delete from gateway_mark where signed_at <= $1';

export class SharedMarks {
  readonly #store: MarkStore;
  readonly #now: () => number;
  readonly #wallMs: () => number;
  readonly #sweeping: NodeJS.Timeout;

  /** @param parts.now the time that `status` reports, the same in all processes; `wallMs` that of the world */
  constructor(parts: { store: MarkStore; now: () => number; wallMs: () => number }) {
    this.#store = parts.store;
    this.#now = parts.now;
    this.#wallMs = parts.wallMs;
    this.#sweeping = setInterval(() => void this.sweep().catch(() => undefined), SWEEP_MS).unref();
    void this.#since().catch(() => undefined);
  }

  /**
   * Resolves when the call is taken by this process and by no other one.
   * @throws ApiError ReplayedRequest; SignedBeforeStart or StaleTimestamp where it may have been taken and is not known any more; Upstream while the database
   * does not answer: then nobody acts on it
   */
  async take({ accessKey, signature, timestamp, isLegacyRead }: TakenCall): Promise<void> {
    const mark = Buffer.from(hash('sha256', Buffer.concat([signature, Buffer.from(accessKey)]), 'hex'), 'hex').subarray(0, MARK_BYTES);
    const now = this.#now();
    const [row] = await this.#ask<Row>({ name: 'gateway-mark', text: TAKE, values: [mark, timestamp, now, isLegacyRead] });
    if (row === undefined) throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: RETRY_SECONDS });
    const since = row.since ?? (await this.#since());
    if (timestamp <= since) {
      if (since <= now - RECEIVE_WINDOW_MS) throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
      throw new ApiError('SignedBeforeStart', { retryAfterSeconds: RETRY_SECONDS });
    }
    const isRepeatedRead = isLegacyRead && row.legacy_read && now - row.taken_at <= LEGACY_READ_MS;
    if (row.uses > 1 && !isRepeatedRead) throw new ApiError('ReplayedRequest');
  }

  /** Forgets what was signed long ago. First nothing of that time is taken any more, then its rows go. */
  async sweep(): Promise<void> {
    const end = Math.min(this.#now(), this.#wallMs()) - KEPT_MS;
    await this.#since();
    await this.#ask({ text: RAISE, values: [end] });
    await this.#ask({ text: FORGET, values: [end] });
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  /** Since when marks are known. Of an empty table: from now on, and what a clock ahead may have signed by now is not taken. */
  async #since(): Promise<number> {
    await this.#ask({ text: BEGIN, values: [Math.max(this.#now(), this.#wallMs()) + TIMESTAMP_AHEAD_MS] });
    const [row] = await this.#ask<{ readonly since: number }>({ text: SINCE });
    if (row === undefined) throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: RETRY_SECONDS });
    return row.since;
  }

  async #ask<Found>(statement: Parameters<MarkStore['query']>[0]): Promise<readonly Found[]> {
    try {
      // The statements name their columns.
      return (await this.#store.query(statement)).rows as readonly Found[];
    } catch (cause) {
      throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: RETRY_SECONDS, cause });
    }
  }
}
