/** The caps of withdrawals, and what they leave. */
import type { Event, WithdrawalCaps } from '@orrery/protocol';
import { CAP_DAY_MS, CAP_HOUR_MS, countsToward } from '@orrery/rules';
import { atoms, NO_ATOMS, type AssetId, type Atoms, type Millis } from '@orrery/units';
import type { Fold } from './fold.ts';

/** Each in atoms. */
export interface CapsAtTime extends WithdrawalCaps {
  readonly hourlyLeft: Atoms;
  readonly dailyLeft: Atoms;
}

export class WithdrawalCapsView implements Fold {
  readonly #caps = new Map<AssetId, WithdrawalCaps>();
  /** By minute, for a day. */
  readonly #outflows = new Map<AssetId, Map<Millis, Atoms>>();

  apply(event: Event): void {
    if (event.type === 'WithdrawalCapsSet') {
      const { type: _, ...caps } = event;
      this.#caps.set(caps.asset, caps);
    }
    if (event.type !== 'OutflowChanged') return;
    const { asset, minute, amount } = event;
    const minutes = this.#outflows.get(asset) ?? new Map<Millis, Atoms>();
    for (const old of minutes.keys()) if (!countsToward(old, minute, CAP_DAY_MS)) minutes.delete(old);
    this.#outflows.set(asset, minutes.set(minute, amount));
  }

  /** What can be withdrawn of an asset at a time; undefined when it has no caps. */
  of(asset: AssetId, at: Millis): CapsAtTime | undefined {
    const caps = this.#caps.get(asset);
    if (caps === undefined) return undefined;
    const left = (cap: Atoms, window: number): Atoms => {
      let rest: bigint = cap;
      for (const [minute, amount] of this.#outflows.get(asset) ?? []) if (countsToward(minute, at, window)) rest -= amount;
      return rest > 0n ? atoms(rest) : NO_ATOMS;
    };
    return { ...caps, hourlyLeft: left(caps.hourly, CAP_HOUR_MS), dailyLeft: left(caps.daily, CAP_DAY_MS) };
  }
}
