/** Keeps messages in memory instead of sending them, for trying the exchange out on one's own machine. */
import type { KeptMessage, MailboxReader, Message } from '@orrery/accounts';

/** Of one receiver. */
export const KEPT_PER_RECEIVER = 20;
/** Beyond this number of receivers the one who got nothing for the longest time is forgotten. */
export const RECEIVERS_MAX = 1_000;

export class Mailbox implements MailboxReader {
  readonly #kept = new Map<string, readonly KeptMessage[]>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  readonly keep = (message: Message): Promise<void> => {
    const kept = [{ ...message, time: this.#now() }, ...this.of(message.to)].slice(0, KEPT_PER_RECEIVER);
    this.#kept.delete(message.to);
    this.#kept.set(message.to, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > RECEIVERS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return Promise.resolve();
  };

  of(to: string): readonly KeptMessage[] {
    return this.#kept.get(to) ?? [];
  }

  forget(to: string): void {
    this.#kept.delete(to);
  }
}
