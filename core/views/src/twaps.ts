/** The TWAP orders that are running, and how the newest of those that are over ended. */
import type { Event, TwapAdvanced, TwapClosed, TwapEnd, TwapTerms } from '@orrery/protocol';
import { NO_LOTS, type AccountId, type Lots, type Millis } from '@orrery/units';
import type { Fold, Moment } from './fold.ts';

export interface RunningTwap extends TwapTerms {
  readonly twapId: number;
  readonly acceptedAt: Millis;
  /** Of all its slices until now. */
  readonly filled: Lots;
}

export interface EndedTwap extends RunningTwap {
  readonly reason: TwapEnd;
  readonly closedAt: Millis;
}

/** The newest, for readers of the stream who were just notified of one. */
const ENDED_KEPT = 1_000;

export class TwapsView implements Fold {
  readonly #running = new Map<number, RunningTwap>();
  /** In the order of their ends. */
  readonly #ended = new Map<number, EndedTwap>();

  /** @returns the TWAP that began. */
  apply(event: Event, { at }: Moment): RunningTwap | undefined {
    if (event.type === 'TwapClosed') {
      this.#end(event, at);
      return undefined;
    }
    if (event.type === 'TwapAdvanced') {
      this.#advance(event);
      return undefined;
    }
    if (event.type !== 'TwapAccepted') return undefined;
    const { type: _, ...terms } = event;
    const twap = { ...terms, acceptedAt: at, filled: NO_LOTS };
    this.#running.set(twap.twapId, twap);
    return twap;
  }

  /** The facts of a start say by this when it began. */
  #advance({ twapId, startedAt, filled }: TwapAdvanced): void {
    const twap = this.#running.get(twapId);
    if (twap !== undefined) this.#running.set(twapId, { ...twap, acceptedAt: startedAt, filled });
  }

  #end({ twapId, reason, filled }: TwapClosed, closedAt: Millis): void {
    const twap = this.#running.get(twapId);
    this.#running.delete(twapId);
    if (twap === undefined) return;
    this.#ended.set(twapId, { ...twap, filled, reason, closedAt });
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= ENDED_KEPT) break;
      this.#ended.delete(oldest);
    }
  }

  /** One that has ended lately. */
  ended(twapId: number): EndedTwap | undefined {
    return this.#ended.get(twapId);
  }

  /** In order of acceptance. */
  of(account: AccountId): readonly RunningTwap[] {
    return [...this.#running.values()].filter((twap) => twap.account === account);
  }
}
