/**
 * The alarm of one-time codes: when all accounts together see more wrong codes than people mistype, somebody guesses. While it is on, codes are
 * longer and every try of a password or a code comes with a captcha. Its end is in SQL, so that a restart does not switch it off.
 */
import type { Kysely } from 'kysely';
import type { AccountsTables } from './tables.ts';

export const WRONG_CODES_IN_A_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Milliseconds from the last minute with that many wrong codes. */
export const ALARM_MS = 10 * MINUTE_MS;
/** The end moves with every wrong code, and is written as often as this. */
const WRITE_EVERY_MS = 10_000;
/** The table has one row. */
const ROW = 1;

export class CodeAlarm {
  readonly #db: Kysely<AccountsTables>;
  readonly #now: () => number;
  readonly #onTrouble: (error: unknown) => void;
  /** The times of the newest wrong codes, oldest first: as many as are allowed in a minute. */
  readonly #times: number[] = [];
  #until = 0;
  #writtenUntil = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(parts: { db: Kysely<AccountsTables>; now: () => number; onTrouble: (error: unknown) => void }) {
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
    this.#times.push(now);
    if (this.#times.length <= WRONG_CODES_IN_A_MINUTE) return;
    const earliest = this.#times.shift() ?? 0;
    if (earliest <= now - MINUTE_MS) return;
    this.#until = now + ALARM_MS;
    if (this.#until - this.#writtenUntil < WRITE_EVERY_MS) return;
    this.#writtenUntil = this.#until;
    this.#written = this.#written.then(() => this.#write(now + ALARM_MS)).catch(this.#onTrouble);
  }

  /** When everything that was to be written is. */
  settled(): Promise<void> {
    return this.#written;
  }

  async #write(until: number): Promise<void> {
    await this.#db
      .insertInto('accounts_code_alarm')
      .values({ id: ROW, until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ until }))
      .execute();
  }
}
