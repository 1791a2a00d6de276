/** The newest trades of all accounts: a private stream that ended here, or at another process, goes on from them without a gap. */
import { type AccountId, type Seq, seq } from '@orrery/units';
import type { TradeSide } from '../market-data/wire.ts';

/** Each trade has two sides. */
const KEPT = 20_000;
/** Of one account at once: a reader that has missed more reads them as pages. */
const SENT_MAX = 1_000;

export interface NumberedSide extends TradeSide {
  readonly seq: Seq;
}

export interface Missed {
  /** Every side of these commands and later ones is there. */
  readonly from: Seq;
  /** Oldest first. */
  readonly sides: readonly NumberedSide[];
}

export class RecentTrades {
  readonly #kept: number;
  #sides: NumberedSide[] = [];
  /** Nothing of the commands from this one on has been dropped. */
  #from: Seq;

  /** @param from the first command whose trades are noted */
  constructor(from: Seq, kept = KEPT) {
    this.#from = from;
    this.#kept = kept;
  }

  note(...sides: readonly NumberedSide[]): void {
    this.#sides.push(...sides);
    if (this.#sides.length < 2 * this.#kept) return;
    const dropped = this.#sides[this.#sides.length - this.#kept - 1];
    this.#sides = this.#sides.slice(-this.#kept);
    if (dropped !== undefined) this.#from = seq(dropped.seq + 1);
  }

  /** The account's trades of these commands, as far back as they are there. */
  of(account: AccountId, from: number): Missed {
    const wanted: NumberedSide[] = [];
    for (let at = this.#sides.length - 1; at >= 0; at -= 1) {
      const side = this.#sides[at];
      if (side === undefined || side.seq < Math.max(from, this.#from)) break;
      if (side.account !== account) continue;
      if (wanted.length === SENT_MAX) return { from: seq(side.seq + 1), sides: wanted.filter((each) => each.seq > side.seq).toReversed() };
      wanted.push(side);
    }
    return { from: seq(Math.max(from, this.#from)), sides: wanted.toReversed() };
  }
}
