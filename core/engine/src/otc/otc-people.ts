/** What the desk remembers of accounts: finished orders, cancels and pauses; and counts of what is open, which follow from advertisements and orders. */
import { millis, type AccountId, type Millis } from '@orrery/units';
import { OTC_CANCELS_PER_DAY, OTC_CANCELS_WINDOW_MS, OTC_PAUSE_MS } from '@orrery/rules';
import { NEVER, type OtcOrderTerms } from './otc-order.ts';

/** What a snapshot holds of an account. */
export interface OtcRecord {
  readonly account: AccountId;
  /** Orders that ended with the coin released, on either side. */
  readonly finished: number;
  /** Orders that it cancelled or let expire as their buyer lately, the oldest first. */
  readonly cancels: readonly Millis[];
  readonly pausedUntil: Millis;
}

interface Open {
  readonly advertisements: number;
  /** Of orders, on either side. */
  readonly orders: number;
  /** Of the orders those that it took itself. */
  readonly taken: number;
}

const NOTHING_OPEN: Open = { advertisements: 0, orders: 0, taken: 0 };

export class OtcPeople {
  readonly #records = new Map<AccountId, OtcRecord>();
  readonly #open = new Map<AccountId, Open>();

  of(account: AccountId): OtcRecord {
    return this.#records.get(account) ?? { account, finished: 0, cancels: [], pausedUntil: NEVER };
  }

  restore(record: OtcRecord): void {
    this.#records.set(record.account, record);
  }

  /** By account. */
  list(): readonly OtcRecord[] {
    return [...this.#records.values()].sort((left, right) => left.account - right.account);
  }

  isPaused(account: AccountId, at: Millis): boolean {
    return this.of(account).pausedUntil > at;
  }

  finish(account: AccountId): void {
    const record = this.of(account);
    this.restore({ ...record, finished: record.finished + 1 });
  }

  /** An order that expires counts like a cancel. The last of a number of them within a day is followed by a pause, after which they are counted from none. */
  cancel(account: AccountId, at: Millis): void {
    const record = this.of(account);
    const cancels = [...record.cancels.filter((one) => one + OTC_CANCELS_WINDOW_MS > at), at];
    const isLast = cancels.length >= OTC_CANCELS_PER_DAY;
    this.restore({ ...record, ...(isLast ? { cancels: [], pausedUntil: millis(at + OTC_PAUSE_MS) } : { cancels }) });
  }

  open(account: AccountId): Open {
    return this.#open.get(account) ?? NOTHING_OPEN;
  }

  countAdvertisements(account: AccountId, change: 1 | -1): void {
    const open = this.open(account);
    this.#set(account, { ...open, advertisements: open.advertisements + change });
  }

  countOrders({ advertiser, taker }: Pick<OtcOrderTerms, 'advertiser' | 'taker'>, change: 1 | -1): void {
    const advertised = this.open(advertiser);
    this.#set(advertiser, { ...advertised, orders: advertised.orders + change });
    const took = this.open(taker);
    this.#set(taker, { ...took, orders: took.orders + change, taken: took.taken + change });
  }

  #set(account: AccountId, open: Open): void {
    if (open.advertisements === 0 && open.orders === 0) this.#open.delete(account);
    else this.#open.set(account, open);
  }
}
