/** The TWAP orders that are running. */
import type { Event, TwapAdvanced, TwapTerms } from '@orrery/protocol';
import { NO_LOTS, type AccountId, type Lots, type Millis } from '@orrery/units';
import type { Fold, Moment } from './fold.ts';

export interface RunningTwap extends TwapTerms {
  readonly twapId: number;
  readonly acceptedAt: Millis;
  /** Of all its slices until now. */
  readonly filled: Lots;
}

export class TwapsView implements Fold {
  readonly #running = new Map<number, RunningTwap>();

  /** @returns the TWAP that began. */
  apply(event: Event, { at }: Moment): RunningTwap | undefined {
    if (event.type === 'TwapClosed') {
      this.#running.delete(event.twapId);
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

  /** In order of acceptance. */
  of(account: AccountId): readonly RunningTwap[] {
    return [...this.#running.values()].filter((twap) => twap.account === account);
  }
}
