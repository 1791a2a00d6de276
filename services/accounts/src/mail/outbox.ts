/** Messages on their way out, one after the other: who causes one does not wait for it, and learns nothing from how long it takes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MailboxReader, Message, Posts } from './message.ts';

/** Messages that wait. At the bound the newest is dropped and reported. */
export const OUTBOX_MAX = 1_000;
/** Milliseconds before each further try. */
export const RETRY_AFTER_MS = [1_000, 10_000] as const;

export class Outbox {
  readonly #posts: Posts;
  readonly #onTrouble: (error: unknown) => void;
  readonly #mailbox: MailboxReader | undefined;
  readonly #retryAfterMs: readonly number[];
  readonly #waiting: Message[] = [];
  readonly #stopping = new AbortController();
  #sending: Promise<void> | undefined;

  /** @param parts.onTrouble is called with an error that names neither the receiver nor the text */
  constructor(parts: {
    posts: Posts;
    mailbox?: MailboxReader | undefined;
    onTrouble: (error: unknown) => void;
    retryAfterMs?: readonly number[];
  }) {
    this.#posts = parts.posts;
    this.#mailbox = parts.mailbox;
    this.#onTrouble = parts.onTrouble;
    this.#retryAfterMs = parts.retryAfterMs ?? RETRY_AFTER_MS;
  }

  canSend(kind: Message['kind']): boolean {
    return this.#posts[kind] !== undefined;
  }

  put(message: Message): void {
    if (this.#waiting.length >= OUTBOX_MAX)
      return this.#onTrouble(new Error(`${OUTBOX_MAX} messages wait to be sent: one more is dropped`));
    this.#waiting.push(message);
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  /** What waits for these receivers is not sent, and a mailbox keeps nothing of them. */
  forget(receivers: readonly string[]): void {
    const kept = this.#waiting.filter(({ to }) => !receivers.includes(to));
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    for (const receiver of receivers) this.#mailbox?.forget(receiver);
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  /** What waits is tried once more each, without a pause. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  async #sendAll(): Promise<void> {
    // Not in the turn of the caller, who must not feel what sending costs.
    await Promise.resolve();
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) await this.#send(message);
  }

  async #send(message: Message): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#posts[message.kind]?.(message);
      } catch (cause) {
        const afterMs = this.#retryAfterMs[tries];
        const what = message.kind === 'email' ? 'an e-mail' : 'a text message';
        if (afterMs === undefined || this.#stopping.signal.aborted)
          return this.#onTrouble(new Error(`${what} was not sent: it was tried ${tries + 1} times`, { cause }));
        await pause(afterMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }
}
