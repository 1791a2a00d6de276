/** The orders of one market that wait for a price to be reached, by the kind of price. Spot stops wait for the last price. */
import { NO_TICKS, type OrderId, type Ticks } from '@orrery/units';
import type { Slot } from '../book/book.ts';
import { TriggerLadder, type Marks, type Reached, type TriggeredOrder } from './trigger-ladder.ts';

/** last: of the own market's trades; mark: the fair price of a contract; index: of the outside world. */
export const PRICE_KINDS = ['last', 'mark', 'index'] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

const NO_MARKS: Marks = { high: NO_TICKS, low: NO_TICKS };

export class Triggers {
  /** A ladder is made with its first order: most markets need one or none. */
  readonly #ladders: Partial<Record<PriceKind, TriggerLadder>> = {};
  /** Reached, and taken within the same command: rules 1. */
  #reached: Reached[] = [];

  add(kind: PriceKind, order: TriggeredOrder): Slot {
    return (this.#ladders[kind] ??= new TriggerLadder()).add(order);
  }

  remove(kind: PriceKind, slot: Slot): void {
    this.#ladders[kind]?.remove(slot);
  }

  /** Records a price. The orders that it reaches are taken one at a time, by this command or later ones. */
  reach(kind: PriceKind, price: Ticks): void {
    this.#ladders[kind]?.reach(price);
  }

  /** Rules 1: the orders that the price reaches are taken at once, behind those that earlier prices reached. */
  reachAtOnce(kind: PriceKind, price: Ticks): void {
    const reached = this.#ladders[kind]?.takeAll(price);
    if (reached !== undefined && reached.length > 0) this.#reached.push(...reached);
  }

  /** Rules 1: all that were reached since the last call, in the order in which they were. */
  takeReached(): readonly Reached[] {
    const reached = this.#reached;
    if (reached.length > 0) this.#reached = [];
    return reached;
  }

  /** The next reached order, by kind of price; undefined, and nothing is pending any more, when there is none. */
  takeNext(): Reached | undefined {
    for (const kind of PRICE_KINDS) {
      const next = this.#ladders[kind]?.isPending === true ? this.#ladders[kind].takeNext() : undefined;
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Whether prices were recorded whose reached orders may not all be taken yet. */
  get isPending(): boolean {
    const { last, mark, index } = this.#ladders;
    return last?.isPending === true || mark?.isPending === true || index?.isPending === true;
  }

  marks(kind: PriceKind): Marks {
    return this.#ladders[kind]?.marks ?? NO_MARKS;
  }

  /** Puts back the marks of a snapshot, behind its orders. */
  restore(kind: PriceKind, marks: Marks): void {
    if (marks.high !== NO_TICKS || marks.low !== NO_TICKS) (this.#ladders[kind] ??= new TriggerLadder()).restore(marks);
  }

  /** The ids of all orders that wait, oldest first. */
  waiting(): readonly OrderId[] {
    return PRICE_KINDS.flatMap((kind) => [...(this.#ladders[kind]?.waiting() ?? [])]).sort((left, right) => left - right);
  }
}
