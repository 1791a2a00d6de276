/**
 * The alarm of one-time codes: when all accounts together see more wrong codes than people mistype, somebody guesses. While it is on, codes are
 * longer and every password comes with a captcha. A restart switches it off: the guesses that go on switch it on again within a minute.
 */

export const WRONG_CODES_IN_A_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Milliseconds from the last minute with that many wrong codes. */
export const ALARM_MS = 10 * MINUTE_MS;

export class CodeAlarm {
  readonly #now: () => number;
  /** The times of the newest wrong codes, oldest first: as many as are allowed in a minute. */
  readonly #times: number[] = [];
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
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
    if (earliest > now - MINUTE_MS) this.#until = now + ALARM_MS;
  }
}
