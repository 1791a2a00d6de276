/** Asks again for a whole that could not be trusted: at once the first time, and later each time it happens again soon. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** After so long without trouble the next one is a first one again. */
const QUIET_MS = 60_000;

interface Trouble {
  readonly times: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

export class Renewals {
  readonly #renew: (name: string) => void;
  readonly #troubles = new Map<string, Trouble>();

  constructor(renew: (name: string) => void) {
    this.#renew = renew;
  }

  ask(name: string): void {
    const before = this.#troubles.get(name);
    clearTimeout(before?.timer);
    const times = before === undefined || Date.now() - before.at > QUIET_MS ? 0 : before.times;
    const wait = times === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (times - 1), LONGEST_WAIT_MS);
    const timer = wait === 0 ? undefined : setTimeout(() => this.#renew(name), wait);
    this.#troubles.set(name, { times: times + 1, at: Date.now() + wait, timer });
    if (timer === undefined) this.#renew(name);
  }

  /** The connection is gone: on the next one everything is asked for in any case. */
  end(): void {
    for (const { timer } of this.#troubles.values()) clearTimeout(timer);
    this.#troubles.clear();
  }
}
