/** Push messages put together: who wants which, how much each says, and how often. */
import { ApiError, type PushCategory, type PushState } from '@orrery/api';
import type { AccountId } from '@orrery/units';
import { type PushNotice, PushSender } from './push-sender.ts';
import type { PushServices } from './push-services.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** Something that happened to an account. `open` is for those who let amounts be shown, and on their devices alone. */
export interface PushNews {
  readonly account: AccountId;
  readonly category: PushCategory;
  readonly plain: Omit<PushNotice, 'tag'>;
  readonly open: Omit<PushNotice, 'tag'>;
}

/** News of one category within this time become one message: the newest, with the number of the others. */
export const PAUSE_MS = 5_000;
/** Messages to one browser in an hour; beyond them nothing is sent, but warnings. */
export const HOURLY_MAX = 60;
const HOUR_MS = 3_600_000;

interface Held {
  news: PushNews;
  others: number;
}

/** What one browser was sent lately. */
interface Pace {
  /** Times of the last hour, oldest first. */
  readonly sentAt: number[];
  /** By category: what waits for its pause to be over; absent: the next is sent at once. */
  readonly pauses: Map<PushCategory, { held: Held | undefined; readonly timer: NodeJS.Timeout }>;
}

interface Parts {
  /** Empty: nothing is pushed. */
  readonly services: PushServices;
  readonly keys: VapidKeys;
  readonly subscriptions: Subscriptions;
  readonly subject: string;
  /** Whether a session is. */
  readonly isLive: (sessionId: string) => boolean;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  readonly onTrouble: (error: unknown) => void;
  readonly pauseMs?: number;
}

export class Push {
  readonly services: PushServices;
  readonly subscriptions: Subscriptions;
  readonly #parts: Parts;
  readonly #sender: PushSender;
  readonly #paces = new Map<string, Pace>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.services = parts.services;
    this.subscriptions = parts.subscriptions;
    const { keys, subject, onTrouble } = parts;
    this.#sender = new PushSender({ keys, subject, onTrouble, onGone: (subscription) => this.#gone(subscription) });
  }

  stateOf(sessionId: string): PushState {
    const { services, keys, subscriptions } = this.#parts;
    const known = subscriptions.of(sessionId);
    const choice =
      known === undefined ? null : { categories: known.categories, showAmounts: known.showAmounts, createdTime: known.createdTime };
    return { publicKey: services.length === 0 ? null : keys.publicKey, choice };
  }

  wants(account: AccountId, category: PushCategory): boolean {
    return this.subscriptions.wanting(account, category).length > 0;
  }

  accountsWanting(category: PushCategory): readonly AccountId[] {
    return this.subscriptions.accountsWanting(category);
  }

  /** Returns at once; costs nothing where nobody wants it. */
  announce(news: PushNews): void {
    for (const subscription of this.subscriptions.wanting(news.account, news.category)) this.#pace(subscription, news);
  }

  /** @throws ApiError when the session has ended meanwhile: nothing outlives it. */
  async set(subscription: Subscription): Promise<void> {
    for (const sessionId of await this.subscriptions.set(subscription)) this.forget(sessionId);
    if (this.#parts.isLive(subscription.sessionId)) return;
    await this.end(subscription.sessionId);
    throw new ApiError('SessionExpired');
  }

  /** With the session, or because the browser is gone. */
  async end(sessionId: string): Promise<void> {
    this.forget(sessionId);
    await this.subscriptions.end(sessionId);
  }

  /** Its browser may have subscribed at another address while the answer came. */
  async #gone({ sessionId, target }: Subscription): Promise<void> {
    if (this.subscriptions.of(sessionId)?.target.endpoint === target.endpoint) await this.end(sessionId);
  }

  /** What waits for it is not sent. */
  forget(sessionId: string): void {
    this.#sender.forget(sessionId);
    for (const { timer } of this.#paces.get(sessionId)?.pauses.values() ?? []) clearTimeout(timer);
    this.#paces.delete(sessionId);
  }

  /** Of an account that is erased: its rows go with the person's. */
  erased(account: AccountId): void {
    for (const { sessionId } of this.subscriptions.all(account)) {
      this.forget(sessionId);
      this.subscriptions.forget(sessionId);
    }
  }

  settled(): Promise<void> {
    return this.#sender.settled();
  }

  async stop(): Promise<void> {
    for (const sessionId of this.#paces.keys()) this.forget(sessionId);
    await this.#sender.stop();
  }

  #pace(subscription: Subscription, news: PushNews): void {
    const { sessionId } = subscription;
    const pace = this.#paces.get(sessionId) ?? { sentAt: [], pauses: new Map() };
    this.#paces.set(sessionId, pace);
    const waiting = pace.pauses.get(news.category);
    if (waiting !== undefined) waiting.held = { news, others: waiting.held === undefined ? 0 : waiting.held.others + 1 };
    else this.#send(sessionId, pace, { news, others: 0 });
  }

  #send(sessionId: string, pace: Pace, { news, others }: Held): void {
    // As it is now: it may have ended or chosen otherwise while the news waited.
    const subscription = this.subscriptions.of(sessionId);
    if (subscription?.categories.includes(news.category) !== true) return;
    const timer = setTimeout(() => {
      const { held } = pace.pauses.get(news.category) ?? {};
      pace.pauses.delete(news.category);
      if (held !== undefined) this.#send(sessionId, pace, held);
    }, this.#parts.pauseMs ?? PAUSE_MS).unref();
    pace.pauses.set(news.category, { held: undefined, timer });
    const now = this.#parts.monotonicMs();
    while ((pace.sentAt[0] ?? now) <= now - HOUR_MS) pace.sentAt.shift();
    if (pace.sentAt.length >= HOURLY_MAX && news.category !== 'LIQUIDATION') return;
    pace.sentAt.push(now);
    const { title, body, path } = subscription.showAmounts ? news.open : news.plain;
    const more = others === 0 ? '' : ` And ${others} more.`;
    this.#sender.put({ subscription, category: news.category, notice: { title, body: body + more, path, tag: news.category } });
  }
}
