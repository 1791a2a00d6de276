/**
 * The last things that happened to this page, for a report of a bug: kept in memory, sent to nobody. What a call carried is not in it, and
 * neither is an address, an amount or a name.
 */
export interface LoggedEvent {
  /** Unix milliseconds. */
  readonly at: number;
  /** Such as `call`, `reach`, `feed`, `error`, `page`. */
  readonly kind: string;
  readonly words: string;
}

export const EVENTS_KEPT = 50;
const WORDS_MAX = 160;
/** Addresses, hashes and other long hex numbers. */
const HEX = /0x[0-9a-f]{8,}/gi;

export class EventLog {
  readonly #now: () => number;
  #events: LoggedEvent[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(kind: string, words: string): void {
    const event = { at: this.#now(), kind, words: words.replaceAll(HEX, '0x…').slice(0, WORDS_MAX) };
    this.#events = [...this.#events, event].slice(-EVENTS_KEPT);
  }

  /** Oldest first. */
  get events(): readonly LoggedEvent[] {
    return this.#events;
  }
}

export const eventLog = new EventLog(Date.now);

/** Errors that nobody handled are events too. */
export function logErrors(target: Pick<EventTarget, 'addEventListener'>): void {
  target.addEventListener('error', (event) => eventLog.add('error', (event as ErrorEvent).message));
  target.addEventListener('unhandledrejection', (event) => eventLog.add('error', String((event as PromiseRejectionEvent).reason)));
}
