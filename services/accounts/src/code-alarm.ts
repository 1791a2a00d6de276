/**
 * The alarm of one-time codes: when all accounts together see more wrong codes than people mistype, somebody guesses. While it is on, codes are
 * longer and every try of a password or a code comes with a captcha. Its end is in SQL, so that a restart does not switch it off.
 */
import { type Kysely, sql } from 'kysely';
import type { AccountsTables } from './tables.ts';

export const WRONG_CODES_IN_A_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Milliseconds from the last minute with that many wrong codes. */
export const ALARM_MS = 10 * MINUTE_MS;
/** Processes on one database count together in rows of this many milliseconds, and look at those of a minute: at 70 seconds at most. */
const SPAN_MS = 10_000;
/** The end moves with every wrong code, and is written as often as this. */
const WRITE_EVERY_MS = 10_000;
/** The table has one row. */
const ROW = 1;

export class CodeAlarm {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #isShared: boolean;
  /** The times of the newest wrong codes, oldest first: as many as are allowed in a minute. */
  readonly #times: number[] = [];
  #until = 0;
  #writtenUntil = 0;
  #written: Promise<void> = Promise.resolve();
  /** Wrong codes that are not in the row of all processes yet. */
  #uncounted = 0;
  #counted: Promise<void> = Promise.resolve();

  /** @param parts.isShared other processes on this database look at codes too */
  constructor(parts: { db: Kysely<AccountsTables>; now: () => number; onTrouble: (error: unknown) => void; isShared?: boolean }) {
    this.#isShared = parts.isShared ?? false;
    this.#db = parts.db;
    this.#now = parts.now;
    this.#onTrouble = parts.onTrouble;
  }

  async load(): Promise<void> {
    const row = await this.#db.selectFrom('accounts_code_alarm').select('until').where('id', '=', ROW).executeTakeFirst();
    this.#until = row?.until ?? 0;
    this.#writtenUntil = this.#until;
  }

  get isOn(): boolean {
    return this.#now() < this.#until;
  }

  /** A code was looked at and was wrong, whosever it was to be. */
  note(): void {
    const now = this.#now();
    if (this.#isShared) this.#countTogether();
    this.#times.push(now);
    if (this.#times.length <= WRONG_CODES_IN_A_MINUTE) return;
    const earliest = this.#times.shift() ?? 0;
    if (earliest <= now - MINUTE_MS) return;
    this.#begin(now);
  }

  #begin(now: number): void {
    this.#until = now + ALARM_MS;
    if (this.#until - this.#writtenUntil < WRITE_EVERY_MS) return;
    this.#writtenUntil = this.#until;
    this.#written = this.#written.then(() => this.#write(now + ALARM_MS)).catch(this.#onTrouble);
  }

  /** When everything that was to be written is. */
  async settled(): Promise<void> {
    await this.#counted;
    await this.#written;
  }

  /** One statement at a time: codes that come meanwhile go together with the next one. */
  #countTogether(): void {
    this.#uncounted += 1;
    if (this.#uncounted > 1) return;
    this.#counted = this.#counted
      .then(async () => {
        const [now, codes] = [this.#now(), this.#uncounted];
        this.#uncounted = 0;
        if ((await this.#withAll(now, codes)) > WRONG_CODES_IN_A_MINUTE) this.#begin(now);
      })
      .catch(this.#onTrouble);
  }

  /** @returns the wrong codes that all processes have counted in the last minute */
  async #withAll(now: number, codes: number): Promise<number> {
    const oldest = now - MINUTE_MS - SPAN_MS;
    await this.#db
      .insertInto('accounts_wrong_codes')
      .values({ at: now - (now % SPAN_MS), codes })
      .onConflict((conflict) => conflict.column('at').doUpdateSet({ codes: sql`accounts_wrong_codes.codes + ${codes}` }))
      .execute();
    await this.#db.deleteFrom('accounts_wrong_codes').where('at', '<', oldest).execute();
    const { sum } = await this.#db
      .selectFrom('accounts_wrong_codes')
      .where('at', '>=', oldest)
      .select((row) => row.fn.sum<number | null>('codes').as('sum'))
      .executeTakeFirstOrThrow();
    return Number(sum);
  }

  async #write(until: number): Promise<void> {
    await this.#db
      .insertInto('accounts_code_alarm')
      .values({ id: ROW, until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ until }))
      .execute();
  }
}
