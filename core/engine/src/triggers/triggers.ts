/** The orders of one market that wait for a price to be reached, by the kind of price. Spot stops wait for the last price. */
import { assert, NO_TICKS, ppm, type OrderId, type Ppm, type Ticks } from '@orrery/units';
import { TRIGGER_PRICES, type Order, type TriggerBy } from '@orrery/protocol';
import { stopDirection } from '@orrery/rules';
import { NO_SLOT, type Slot } from '../book/book.ts';
import { StalledTriggers } from './stalled-triggers.ts';
import { Trail, type TrailMark } from './trail.ts';
import { TriggerLadder, type Direction, type Marks, type Reached } from './trigger-ladder.ts';

export type WaitingOrder = Pick<Order, 'orderId' | 'account' | 'side' | 'triggerPrice' | 'contract' | 'spot'>;

const NO_MARKS: Marks = { high: NO_TICKS, low: NO_TICKS };

export const kindOf = ({ contract }: WaitingOrder): TriggerBy => contract?.triggerBy ?? 'last';
export const isTrailing = (order: WaitingOrder): boolean => distanceOf(order) > 0;

/** 0 for a trigger that stands still, which that of a trailing stop does until its activation price is reached. */
function distanceOf({ contract, spot }: WaitingOrder): Ppm {
  if (contract !== undefined) return contract.trailingPpm;
  return spot === undefined || spot.triggerDirection !== 'none' ? ppm(0) : spot.trailingPpm;
}

/** Whether it is a trailing stop that does not follow yet. */
export const waitsForActivation = ({ spot }: Pick<WaitingOrder, 'spot'>): boolean =>
  spot !== undefined && spot.trailingPpm > 0 && spot.triggerDirection !== 'none';

function directionOf({ side, contract, spot }: WaitingOrder): Direction {
  const terms = contract ?? spot;
  if (terms === undefined) return stopDirection(side);
  assert(terms.triggerDirection !== 'none', 'an order that waits has a direction');
  return terms.triggerDirection;
}

export class Triggers {
  /** A ladder or a trail is made with its first order: most markets need one or none. */
  readonly #ladders: Partial<Record<TriggerBy, TriggerLadder>> = {};
  #trails: Partial<Record<TriggerBy, Record<Direction, Trail>>> | undefined;
  /** Reached, and could not act: they wait on. */
  readonly stalled = new StalledTriggers();
  /** Reached, and taken within the same command: rules 1. */
  #reached: Reached[] = [];

  /** @param price the present one of its kind, of which a trailing stop needs one */
  add(order: WaitingOrder, price: Ticks): Slot {
    const { orderId, account, spot } = order;
    if (isTrailing(order)) return this.#trailOf(order).add({ orderId, account, trailingPpm: distanceOf(order) }, price);
    const triggerPrice = spot !== undefined && waitsForActivation(order) ? spot.activationPrice : order.triggerPrice;
    return this.#ladderOf(kindOf(order)).add({ orderId, account, direction: directionOf(order), triggerPrice });
  }

  /** @param slot NO_SLOT of one that has stalled */
  remove(order: WaitingOrder, slot: Slot): void {
    if (slot === NO_SLOT) this.stalled.remove(order.orderId);
    else if (isTrailing(order)) this.#trailOf(order).remove(slot);
    else this.#ladderOf(kindOf(order)).remove(slot);
  }

  /** Records a price. The orders that it reaches are taken one at a time, by this command or later ones. */
  reach(kind: TriggerBy, price: Ticks): void {
    this.#ladders[kind]?.reach(price);
    if (this.#trails === undefined) return;
    this.#trails[kind]?.rise.reach(price);
    this.#trails[kind]?.fall.reach(price);
  }

  /** Rules 1: the orders that the price reaches are taken at once, behind those that earlier prices reached. */
  reachAtOnce(kind: TriggerBy, price: Ticks): void {
    const reached = this.#ladders[kind]?.takeAll(price);
    if (reached !== undefined && reached.length > 0) this.#reached.push(...reached);
  }

  /** Rules 1: all that were reached since the last call, in the order in which they were. */
  takeReached(): readonly Reached[] {
    const reached = this.#reached;
    if (reached.length > 0) this.#reached = [];
    return reached;
  }

  /** The next reached order, by kind of price and trailing stops last; undefined, and nothing is pending any more, when there is none. */
  takeNext(): Reached | undefined {
    for (const kind of TRIGGER_PRICES) {
      const ladder = this.#ladders[kind];
      const trails = this.#trails?.[kind];
      const next =
        (ladder?.isPending === true ? ladder.takeNext() : undefined) ??
        (trails?.rise.isPending === true ? trails.rise.takeNext() : undefined) ??
        (trails?.fall.isPending === true ? trails.fall.takeNext() : undefined);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Whether prices were recorded whose reached orders may not all be taken yet, or a pass over the stalled ones is not over. */
  get isPending(): boolean {
    if (this.stalled.isDue) return true;
    const { last, mark, index } = this.#ladders;
    if (last?.isPending === true || mark?.isPending === true || index?.isPending === true) return true;
    return this.#trails !== undefined && TRIGGER_PRICES.some((kind) => this.#isTrailPending(kind));
  }

  marks(kind: TriggerBy): Marks {
    return this.#ladders[kind]?.marks ?? NO_MARKS;
  }

  /** What the trailing stops of a kind have seen, oldest first. */
  trailMarks(kind: TriggerBy): readonly TrailMark[] {
    const trails = this.#trails?.[kind];
    if (trails === undefined) return [];
    return [...trails.rise.marks(), ...trails.fall.marks()].sort((left, right) => left.orderId - right.orderId);
  }

  /** The same of the last price, in the order in which they are put back: those that wait for a rise first, each in the order in which they began to follow. */
  trailsOfLast(): readonly TrailMark[] {
    const trails = this.#trails?.last;
    return trails === undefined ? [] : [...trails.rise.marks(), ...trails.fall.marks()];
  }

  /** Puts back the marks of a snapshot, behind its orders. */
  restore(kind: TriggerBy, marks: Marks): void {
    if (marks.high !== NO_TICKS || marks.low !== NO_TICKS) this.#ladderOf(kind).restore(marks);
  }

  /** Puts back a trailing stop of a snapshot, in the order of their marks. */
  restoreTrailing(order: WaitingOrder, mark: TrailMark): Slot {
    const { orderId, account } = order;
    return this.#trailOf(order).restore({ orderId, account, trailingPpm: distanceOf(order) }, mark);
  }

  /** The ids of the orders that wait for a price that stands still, of each kind in the order in which they are reached. */
  standing(): readonly OrderId[] {
    return TRIGGER_PRICES.flatMap((kind) => [...(this.#ladders[kind]?.waiting() ?? [])]);
  }

  /** The ids of all orders that wait, oldest first. */
  waiting(): readonly OrderId[] {
    const trailing = TRIGGER_PRICES.flatMap((kind) => this.trailMarks(kind).map(({ orderId }) => orderId));
    return [...this.standing(), ...trailing, ...this.stalled.list().map(({ orderId }) => orderId)].sort((left, right) => left - right);
  }

  #ladderOf(kind: TriggerBy): TriggerLadder {
    return (this.#ladders[kind] ??= new TriggerLadder());
  }

  #trailOf(order: WaitingOrder): Trail {
    const trails = ((this.#trails ??= {})[kindOf(order)] ??= { rise: new Trail('buy'), fall: new Trail('sell') });
    return order.side === 'buy' ? trails.rise : trails.fall;
  }

  #isTrailPending(kind: TriggerBy): boolean {
    const trails = this.#trails?.[kind];
    return trails !== undefined && (trails.rise.isPending || trails.fall.isPending);
  }
}
