/** The TWAP orders that are running. */
import type { Event, TwapTerms } from '@orrery/protocol';
import type { AccountId, Millis } from '@orrery/units';
import type { Fold, Moment } from './fold.ts';

export interface RunningTwap extends TwapTerms {
  readonly twapId: number;
  /** 0 where it is known by the facts of a start only. */
  readonly acceptedAt: Millis;
}

export class TwapsView implements Fold {
  readonly #running = new Map<number, RunningTwap>();

  /** @returns the TWAP that began. */
  apply(event: Event, { at }: Moment): RunningTwap | undefined {
    if (event.type === 'TwapClosed') {
      this.#running.delete(event.twapId);
      return undefined;
    }
    if (event.type !== 'TwapAccepted') return undefined;
    const { type: _, ...terms } = event;
    const twap = { ...terms, acceptedAt: at };
    this.#running.set(twap.twapId, twap);
    return twap;
  }

  /** In order of acceptance. */
  of(account: AccountId): readonly RunningTwap[] {
    return [...this.#running.values()].filter((twap) => twap.account === account);
  }
}
