/** What withdrawals take of each asset, by the minute in which they were held, for a day: what the caps are compared with. */
import { addAtoms, NO_ATOMS, subtractAtoms, type AssetId, type Atoms, type Millis } from '@orrery/units';
import { CAP_DAY_MS, countsToward, minuteOf } from '@orrery/rules';

/** Withdrawals of one asset held within one minute, without the refunded ones. */
export interface Outflow {
  readonly asset: AssetId;
  /** When it began. */
  readonly minute: Millis;
  /** Above zero. */
  readonly amount: Atoms;
}

interface CountedWithdrawal {
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly heldAt: Millis;
}

export class Outflows {
  /** By minute, the oldest first: an entry for each minute of a day at most. */
  readonly #byAsset = new Map<AssetId, Map<Millis, Atoms>>();

  /** Sum of what counts at `at`. @param window in milliseconds, at most a day */
  within(asset: AssetId, at: Millis, window: number): Atoms {
    let sum = NO_ATOMS;
    for (const [minute, amount] of this.#byAsset.get(asset) ?? []) if (countsToward(minute, at, window)) sum = addAtoms(sum, amount);
    return sum;
  }

  /** Counts a withdrawal that is held at `at`. @returns its minute as it is now */
  add(asset: AssetId, amount: Atoms, at: Millis): Outflow {
    const minutes = this.#byAsset.get(asset) ?? new Map<Millis, Atoms>();
    this.#byAsset.set(asset, minutes);
    for (const minute of minutes.keys()) if (!countsToward(minute, at, CAP_DAY_MS)) minutes.delete(minute);
    const minute = minuteOf(at);
    const sum = addAtoms(minutes.get(minute) ?? NO_ATOMS, amount);
    minutes.set(minute, sum);
    return { asset, minute, amount: sum };
  }

  /** Counts a withdrawal no longer that was held at `heldAt`. @returns its minute as it is now; it has left the day: undefined */
  takeBack({ asset, amount, heldAt }: CountedWithdrawal, at: Millis): Outflow | undefined {
    const minute = minuteOf(heldAt);
    const minutes = this.#byAsset.get(asset);
    const before = minutes?.get(minute);
    if (minutes === undefined || before === undefined || !countsToward(minute, at, CAP_DAY_MS)) return undefined;
    const sum = subtractAtoms(before, amount);
    if (sum === NO_ATOMS) minutes.delete(minute);
    else minutes.set(minute, sum);
    return { asset, minute, amount: sum };
  }

  /** In the order of assets, then minutes. */
  list(): readonly Outflow[] {
    return [...this.#byAsset]
      .flatMap(([asset, minutes]) => [...minutes].map(([minute, amount]): Outflow => ({ asset, minute, amount })))
      .sort((left, right) => left.asset - right.asset || left.minute - right.minute);
  }

  /** As it was listed. */
  restore({ asset, minute, amount }: Outflow): void {
    const minutes = this.#byAsset.get(asset) ?? new Map<Millis, Atoms>();
    this.#byAsset.set(asset, minutes.set(minute, amount));
  }
}
