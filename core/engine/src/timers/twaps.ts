/** TWAP orders at work: what each has placed and filled, and when its next slice is due. */
import { addAtoms, addLots, NO_ATOMS, NO_LOTS, type AccountId, type Atoms, type Lots, type Millis } from '@orrery/units';
import type { TwapTerms } from '@orrery/protocol';
import { twapDueAt } from '@orrery/rules';
import { DueQueue } from './due-queue.ts';

export interface Twap {
  readonly twapId: number;
  readonly terms: TwapTerms;
  readonly startedAt: Millis;
  /** The number of the next slice, from 0. */
  slice: number;
  /** Of all slices until now. */
  filled: Lots;
  /** Settle atoms. */
  filledNotional: Atoms;
  /** What the next slice makes up of what was missed: no more than an equal slice has. Since rules 7. */
  missed: Lots;
}

export class Twaps {
  readonly #byId = new Map<number, Twap>();
  readonly #ofAccounts = new Map<AccountId, readonly Twap[]>();
  readonly due = new DueQueue();
  lastTwapId = 0;

  start(terms: TwapTerms, startedAt: Millis): Twap {
    this.lastTwapId += 1;
    const twap = { twapId: this.lastTwapId, terms, startedAt, slice: 0, filled: NO_LOTS, filledNotional: NO_ATOMS, missed: NO_LOTS };
    this.enter(twap);
    return twap;
  }

  /** Enters one that has its id already. */
  enter(twap: Twap): void {
    const { account } = twap.terms;
    this.#byId.set(twap.twapId, twap);
    this.#ofAccounts.set(account, [...this.of(account), twap]);
    this.due.set(twap.twapId, twapDueAt(twap.startedAt, twap.slice));
  }

  get(twapId: number): Twap | undefined {
    return this.#byId.get(twapId);
  }

  /** By id. At most `TWAPS_PER_ACCOUNT`. */
  of(account: AccountId): readonly Twap[] {
    return this.#ofAccounts.get(account) ?? [];
  }

  /** Counts what a slice filled, and makes the next one due. */
  advance(twap: Twap, filled: Lots, notional: Atoms): void {
    twap.slice += 1;
    twap.filled = addLots(twap.filled, filled);
    twap.filledNotional = addAtoms(twap.filledNotional, notional);
    this.due.set(twap.twapId, twapDueAt(twap.startedAt, twap.slice));
  }

  close(twap: Twap): void {
    const { account } = twap.terms;
    this.#byId.delete(twap.twapId);
    this.due.delete(twap.twapId);
    const left = this.of(account).filter((one) => one !== twap);
    if (left.length === 0) this.#ofAccounts.delete(account);
    else this.#ofAccounts.set(account, left);
  }

  /** By id. */
  list(): readonly Twap[] {
    return [...this.#byId.values()].sort((left, right) => left.twapId - right.twapId);
  }
}
