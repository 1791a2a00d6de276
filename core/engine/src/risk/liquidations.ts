/** The liquidations at work, and the account that takes positions over. */
import { assert, millis, type AccountId, type Millis } from '@orrery/units';
import { FundLosses } from './fund-losses.ts';
import { Watch } from './watch.ts';

export interface Liquidation {
  readonly liquidationId: number;
  readonly account: AccountId;
  /** `clusterKey` of what is liquidated. */
  readonly key: string;
  /** Whether it has not taken its step of the last round of prices. */
  isDue: boolean;
  /** A part was closed: the rest waits until then. 0 before. */
  waitsUntil: Millis;
}

export class Liquidations {
  /** 0: there is none. */
  liquidator: AccountId | 0 = 0;
  lastId = 0;
  readonly watch = new Watch();
  readonly fund = new FundLosses();
  /** By `clusterKey`, in the order of their ids. */
  readonly #open = new Map<string, Liquidation>();

  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** One that is at work. */
  known(key: string): Liquidation {
    const found = this.#open.get(key);
    assert(found !== undefined, `${key} is being liquidated`);
    return found;
  }

  begin(account: AccountId, key: string): void {
    this.lastId += 1;
    this.#open.set(key, { liquidationId: this.lastId, account, key, isDue: true, waitsUntil: millis(0) });
  }

  /** One that ends with the step that it takes. */
  passing(account: AccountId, key: string): Liquidation {
    this.lastId += 1;
    return { liquidationId: this.lastId, account, key, isDue: false, waitsUntil: millis(0) };
  }

  restore(liquidation: Liquidation): void {
    this.#open.set(liquidation.key, liquidation);
  }

  end({ key }: Liquidation): void {
    this.#open.delete(key);
  }

  /** Those at work, in the order in which they began. */
  list(): readonly Liquidation[] {
    return [...this.#open.values()];
  }

  /** A round of prices begins: each takes a step. */
  startRound(): void {
    for (const liquidation of this.#open.values()) liquidation.isDue = true;
  }

  /** The next one that has not taken its step of the round; undefined when all have. */
  nextDue(): Liquidation | undefined {
    for (const liquidation of this.#open.values()) if (liquidation.isDue) return liquidation;
    return undefined;
  }
}
