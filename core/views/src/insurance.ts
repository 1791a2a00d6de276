/** What the insurance fund has of each asset. */
import type { Event } from '@orrery/protocol';
import { NO_ATOMS, type AssetId, type Atoms } from '@orrery/units';
import type { Fold } from './fold.ts';

export class InsuranceView implements Fold {
  readonly #amounts = new Map<AssetId, Atoms>();

  apply(event: Event): void {
    if (event.type === 'InsuranceChanged') this.#amounts.set(event.asset, event.amount);
  }

  /** Atoms. */
  get(asset: AssetId): Atoms {
    return this.#amounts.get(asset) ?? NO_ATOMS;
  }

  /** The assets that the fund has or had, in the order in which it got them. */
  assets(): readonly AssetId[] {
    return [...this.#amounts.keys()];
  }
}
