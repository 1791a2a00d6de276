/** When winners of lucky blocks are announced: every day at 12:00 UTC, or as configured. */
import { Cron } from 'croner';

export const DAILY_NOON_CRON = '0 12 * * *';

export class Announcements {
  readonly pattern: string;
  readonly #times: Cron;

  /** @param pattern a cron pattern, read in UTC. @throws when it is none, or has no time. */
  constructor(pattern: string) {
    this.pattern = pattern;
    this.#times = new Cron(pattern, { timezone: 'UTC', paused: true });
    this.firstAfter(0);
  }

  /** The latest that is not after `now`. */
  latest(now: number): number {
    return this.#times.previousRuns(1, new Date(now + 1))[0]?.getTime() ?? 0;
  }

  /** A block belongs to this one of its time: one sealed at the very time of an announcement waits for the next. */
  firstAfter(at: number): number {
    const next = this.#times.nextRun(new Date(at));
    if (next === null) throw new Error(`the announcements of lucky blocks have no next time: ${this.pattern}`);
    return next.getTime();
  }

  inWords(): string {
    return this.pattern === DAILY_NOON_CRON ? '12:00 UTC' : `${this.pattern} (cron, UTC)`;
  }
}
