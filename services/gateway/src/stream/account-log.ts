/** The newest of what happened to accounts, such as trades: a private stream that ended here, or at another process, goes on from it without a gap. */
import { type AccountId, type Seq, seq } from '@orrery/units';

/** Each trade has two sides. */
const KEPT = 20_000;
/** Of one account at once: a reader that has missed more reads them as pages. */
const SENT_MAX = 1_000;

export interface Logged {
  readonly account: AccountId;
  readonly seq: Seq;
}

export interface Missed<Item> {
  /** Everything of this command and of later ones is there. */
  readonly from: Seq;
  /** Oldest first. */
  readonly items: readonly Item[];
}

export class AccountLog<Item extends Logged> {
  readonly #kept: number;
  #items: Item[] = [];
  /** Nothing of the commands from this one on has been dropped. */
  #from: Seq;

  /** @param from the first command that is noted */
  constructor(from: Seq, kept = KEPT) {
    this.#from = from;
    this.#kept = kept;
  }

  note(...items: readonly Item[]): void {
    this.#items.push(...items);
    if (this.#items.length < 2 * this.#kept) return;
    const dropped = this.#items[this.#items.length - this.#kept - 1];
    this.#items = this.#items.slice(-this.#kept);
    if (dropped !== undefined) this.#from = seq(dropped.seq + 1);
  }

  /** What happened to the account in these commands, as far back as it is there. @param isWanted leaves out what is not */
  of(account: AccountId, from: number, isWanted: (item: Item) => boolean = () => true): Missed<Item> {
    const wanted: Item[] = [];
    for (let at = this.#items.length - 1; at >= 0; at -= 1) {
      const item = this.#items[at];
      if (item === undefined || item.seq < Math.max(from, this.#from)) break;
      if (item.account !== account || !isWanted(item)) continue;
      if (wanted.length === SENT_MAX) return { from: seq(item.seq + 1), items: wanted.filter((each) => each.seq > item.seq).toReversed() };
      wanted.push(item);
    }
    return { from: seq(Math.max(from, this.#from)), items: wanted.toReversed() };
  }
}
