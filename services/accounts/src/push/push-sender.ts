/** Push messages on their way out: encrypted for one browser, sent to its push service, a few at a time. Nobody waits for it, and a bound holds everywhere. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PushCategory } from '@orrery/api';
import webPush from 'web-push';
import type { Subscription } from './subscriptions.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** What the service worker of the terminal shows. */
export interface PushNotice {
  readonly title: string;
  readonly body: string;
  /** Of the page to open. */
  readonly path: string;
  /** A newer one of the same tag replaces the one before. */
  readonly tag: string;
}

/** Messages that wait. At the bound the newest is dropped and reported. */
export const QUEUE_MAX = 1_000;
/** Longer texts are cut: a push service takes 4 KiB. */
const TEXT_MAX = 200;
const AT_ONCE = 4;
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = [5_000, 30_000] as const;
/** The browser has ended the subscription. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Seconds for which a message waits for a device that is switched off: a warning that is late is worse than none. */
const LIFE_SECONDS = { FILLS: 3_600, LIQUIDATION: 600, DEPOSITS: 86_400, OTC: 3_600 } as const satisfies Record<PushCategory, number>;

export interface SenderParts {
  readonly keys: VapidKeys;
  /** How push services reach the operator of this exchange: `mailto:` or `https:`. */
  readonly subject: string;
  /** The browser wants nothing any more at this address. */
  readonly onGone: (subscription: Subscription) => Promise<void>;
  /** Called with an error that names neither the browser nor the text. */
  readonly onTrouble: (error: unknown) => void;
  readonly retryAfterMs?: readonly number[];
}

interface Waiting {
  readonly subscription: Subscription;
  readonly category: PushCategory;
  readonly notice: PushNotice;
}

/** How often it was tried. */
interface Tried extends Waiting {
  readonly tries: number;
}

interface Failure {
  readonly error: Error;
  /** No other try can help. */
  readonly isFinal: boolean;
}

export class PushSender {
  readonly #parts: SenderParts;
  readonly #queue: Tried[] = [];
  readonly #stopping = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  /** What waits for its next try, beside the queue: a service that is away keeps nobody else's messages from going out. */
  readonly #resting = new Map<Tried, { readonly ending: AbortController; readonly over: Promise<void> }>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  put(waiting: Waiting): void {
    if (this.#stopping.signal.aborted) return;
    this.#enqueue({ ...waiting, tries: 0 });
  }

  #enqueue(tried: Tried): void {
    if (this.#queue.length + this.#resting.size >= QUEUE_MAX)
      return this.#parts.onTrouble(new Error(`${QUEUE_MAX} push messages wait: one more is dropped`));
    this.#queue.push(tried);
    if (this.#sending.size < AT_ONCE) this.#start();
  }

  /** What waits for a session that has ended is not sent. */
  forget(sessionId: string): void {
    const kept = this.#queue.filter(({ subscription }) => subscription.sessionId !== sessionId);
    this.#queue.splice(0, this.#queue.length, ...kept);
    for (const [{ subscription }, { ending }] of this.#resting) if (subscription.sessionId === sessionId) ending.abort();
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#sending.size + this.#resting.size > 0)
      await Promise.all([...this.#sending, ...[...this.#resting.values()].map(({ over }) => over)]);
  }

  /** What waits is news of a moment that is over: it is dropped. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#queue.length = 0;
    await this.settled();
  }

  #start(): void {
    const sending = this.#sendWaiting().finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #sendWaiting(): Promise<void> {
    // Not in the turn of the caller, who must not feel what encrypting costs.
    await Promise.resolve();
    for (let waiting = this.#queue.shift(); waiting !== undefined; waiting = this.#queue.shift()) await this.#send(waiting);
  }

  async #send(tried: Tried): Promise<void> {
    const failure = await this.#try(tried).catch(unreached);
    if (failure === undefined) return;
    const afterMs = (this.#parts.retryAfterMs ?? RETRY_AFTER_MS)[tried.tries];
    if (failure.isFinal || afterMs === undefined || this.#stopping.signal.aborted) return this.#parts.onTrouble(failure.error);
    this.#rest({ ...tried, tries: tried.tries + 1 }, afterMs);
  }

  #rest(tried: Tried, afterMs: number): void {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#stopping.signal]);
    const over = pause(afterMs, true, { signal })
      .catch(() => false)
      .then((isOver) => {
        this.#resting.delete(tried);
        if (isOver) this.#enqueue(tried);
      });
    this.#resting.set(tried, { ending, over });
  }

  async #try({ subscription, category, notice }: Waiting): Promise<Failure | undefined> {
    const { keys, subject, onGone } = this.#parts;
    const { endpoint, p256dh, auth } = subscription.target;
    const text = JSON.stringify({ ...notice, title: notice.title.slice(0, TEXT_MAX), body: notice.body.slice(0, TEXT_MAX) });
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: { subject, ...keys },
      TTL: LIFE_SECONDS[category],
      urgency: category === 'LIQUIDATION' ? 'high' : 'normal',
      topic: category,
    });
    const { 'Content-Length': _, ...headers } = request.headers;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.entries(headers),
      body: new Uint8Array(request.body),
      // A service that leads elsewhere leads out of the list.
      redirect: 'manual',
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (response.ok) return undefined;
    if (GONE.has(response.status)) return onGone(subscription).then(() => undefined);
    const error = new Error(`the push service ${new URL(endpoint).host} answers ${response.status}`);
    return { error, isFinal: response.status !== 429 && response.status < 500 };
  }
}

/** Without the address, which is the browser's own. */
const unreached = (cause: unknown): Failure => ({
  error: new Error('a push service cannot be reached', { cause: cause instanceof Error ? (cause.cause ?? cause.name) : undefined }),
  isFinal: false,
});
