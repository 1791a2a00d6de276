/** The stop orders of one market that wait for their trigger price, and the ones that have reached it and wait for their turn. */
import { assert, type Ticks } from '@orrery/units';
import type { Side } from '@orrery/protocol';
import { isTriggeredBy } from '@orrery/rules';
import type { OpenOrder } from '../orders/open-order.ts';

export interface ReachedStop {
  readonly stop: OpenOrder;
  /** The trade price that reached it. */
  readonly lastPrice: Ticks;
}

export class StopOrders {
  /** Each sorted so that the next to trigger is the last: buys from the highest trigger down, sells from the lowest up; of equals the oldest last. */
  readonly #waiting: Readonly<Record<Side, OpenOrder[]>> = { buy: [], sell: [] };
  #reached: ReachedStop[] = [];

  add(stop: OpenOrder): void {
    const waiting = this.#waiting[stop.order.side];
    waiting.splice(placeOf(stop, waiting), 0, stop);
  }

  remove(stop: OpenOrder): void {
    const waiting = this.#waiting[stop.order.side];
    const place = placeOf(stop, waiting);
    assert(waiting[place] === stop, 'a removed stop order was waiting');
    waiting.splice(place, 1);
  }

  /** Tells of a trade. The stops it reaches wait no longer: each triggers at most once, the ones of one trade in the order of their ids. */
  tradedAt(price: Ticks): void {
    const buys = takeReached(this.#waiting.buy, price);
    const sells = takeReached(this.#waiting.sell, price);
    if (buys === undefined && sells === undefined) return;
    const reached = [...(buys ?? []), ...(sells ?? [])].sort((left, right) => left.order.orderId - right.order.orderId);
    for (const stop of reached) this.#reached.push({ stop, lastPrice: price });
  }

  /** Takes the reached stops in the order in which they were reached. */
  takeReached(): readonly ReachedStop[] {
    if (this.#reached.length === 0) return NONE;
    const reached = this.#reached;
    this.#reached = [];
    return reached;
  }

  /** All waiting stops, by id. */
  waiting(): OpenOrder[] {
    return [...this.#waiting.buy, ...this.#waiting.sell].sort((left, right) => left.order.orderId - right.order.orderId);
  }
}

const NONE: readonly ReachedStop[] = [];

function takeReached(waiting: OpenOrder[], price: Ticks): OpenOrder[] | undefined {
  let reached: OpenOrder[] | undefined;
  for (let next = waiting.at(-1); next !== undefined && isTriggeredBy(next.order, price); next = waiting.at(-1)) {
    waiting.pop();
    (reached ??= []).push(next);
  }
  return reached;
}

/** Where `stop` stands, or would stand, among the waiting ones of its side. */
function placeOf(stop: OpenOrder, waiting: readonly OpenOrder[]): number {
  let low = 0;
  let high = waiting.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = waiting[middle];
    if (other !== undefined && triggersBefore(stop, other)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function triggersBefore(left: OpenOrder, right: OpenOrder): boolean {
  const nearer =
    left.order.side === 'buy' ? left.order.triggerPrice < right.order.triggerPrice : left.order.triggerPrice > right.order.triggerPrice;
  return nearer || (left.order.triggerPrice === right.order.triggerPrice && left.order.orderId < right.order.orderId);
}
