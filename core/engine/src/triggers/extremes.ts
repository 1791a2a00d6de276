/**
 * The furthest price that each trailing stop has seen, kept once for neighbours that share one. An older order has seen all that a younger one has, so
 * from the oldest to the youngest the extremes come nearer to the present price; a new extreme joins the youngest runs into one.
 */
import { assert, type OrderId, type Ticks } from '@orrery/units';
import { isWorse } from '@orrery/rules';
import type { Side } from '@orrery/protocol';

/** Orders with neighbouring numbers that share an extreme. A number stands in the place of an id: `Trail` gives them. */
interface Run {
  first: OrderId;
  last: OrderId;
  extreme: Ticks;
  /** Orders of it that are left. */
  orders: number;
}

/** Runs without orders stay among the others until they are as many as those with orders, and this number more. */
const IDLE_RUNS = 16;

export class Extremes {
  readonly #side: Side;
  #runs: Run[] = [];
  #idle = 0;

  constructor(side: Side) {
    this.#side = side;
  }

  /** Numbers come in rising order. @param price the first one that the order sees */
  join(id: OrderId, price: Ticks): void {
    this.follow(price);
    const youngest = this.#runs.at(-1);
    assert(youngest === undefined || id > youngest.last, 'trailing stops begin in the order of their numbers');
    if (youngest?.extreme !== price || youngest.orders === 0) {
      this.#runs.push({ first: id, last: id, extreme: price, orders: 1 });
      return;
    }
    youngest.last = id;
    youngest.orders += 1;
  }

  leave(id: OrderId): void {
    const run = this.#runOf(id);
    run.orders -= 1;
    if (run.orders > 0) return;
    this.#idle += 1;
    if (this.#idle <= this.#runs.length - this.#idle + IDLE_RUNS) return;
    this.#runs = this.#runs.filter(({ orders }) => orders > 0);
    this.#idle = 0;
  }

  /** Moves the extremes that the price exceeds. @returns whether it exceeds any */
  follow(price: Ticks): boolean {
    let joined: Run | undefined;
    for (let run = this.#runs.at(-1); run !== undefined && isWorse(run.extreme, price, this.#side); run = this.#runs.at(-1)) {
      this.#runs.pop();
      if (run.orders === 0) this.#idle -= 1;
      else if (joined === undefined) joined = run;
      else joined = { first: run.first, last: joined.last, extreme: price, orders: run.orders + joined.orders };
    }
    if (joined === undefined) return false;
    this.#runs.push({ ...joined, extreme: price });
    return true;
  }

  /** How many runs are kept. */
  get size(): number {
    return this.#runs.length;
  }

  of(id: OrderId): Ticks {
    return this.#runOf(id).extreme;
  }

  /** The youngest id whose extreme holds the condition, which the oldest one holds, and with it every extreme that is further. */
  lastWhere(holds: (extreme: Ticks) => boolean): OrderId {
    return this.#lastRun(({ extreme }) => holds(extreme)).last;
  }

  #runOf(id: OrderId): Run {
    const run = this.#lastRun(({ first }) => first <= id);
    assert(run.first <= id && id <= run.last, 'a trailing stop has an extreme');
    return run;
  }

  /** The last run that holds a condition which the first one holds, and none behind the last. */
  #lastRun(holds: (run: Run) => boolean): Run {
    let low = 0;
    for (let high = this.#runs.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if (holds(this.#at(middle))) low = middle;
      else high = middle - 1;
    }
    return this.#at(low);
  }

  #at(index: number): Run {
    const run = this.#runs[index];
    assert(run !== undefined, 'there is a run of extremes');
    return run;
  }
}
