import { describe, expect, test } from 'vitest';
import { accountId, orderId, ppm, ticks } from '@orrery/units';
import { SIDES, type Side } from '@orrery/protocol';
import { Chance } from '../testing/chance.ts';
import { Trail, type TrailMark } from './trail.ts';

interface NaiveOrder {
  readonly orderId: number;
  readonly distance: number;
  extreme: number;
  isReached: boolean;
}

/** The same in one list: every order looks at every price. */
class NaiveTrail {
  readonly #side: Side;
  orders: NaiveOrder[] = [];
  /** By distance. */
  readonly prices = new Map<number, number>();

  constructor(side: Side) {
    this.#side = side;
  }

  reach(price: number): void {
    for (const order of this.orders) {
      order.extreme = this.#side === 'sell' ? Math.max(order.extreme, price) : Math.min(order.extreme, price);
      if (this.#isReached(order, price)) order.isReached = true;
    }
    for (const distance of new Set(this.orders.map((order) => order.distance)))
      if (
        this.#isReached(
          this.orders.find((order) => order.distance === distance)!,
          price,
        )
      )
        this.prices.set(distance, price);
  }

  takeNext(): { orderId: number; price: number } | undefined {
    const next = this.orders.find(({ isReached }) => isReached);
    if (next === undefined) return undefined;
    this.orders = this.orders.filter((order) => order !== next);
    return { orderId: next.orderId, price: this.prices.get(next.distance)! };
  }

  marks(): { orderId: number; extreme: number; reached: number }[] {
    return this.orders.map(({ orderId, distance, extreme, isReached }) => ({
      orderId,
      extreme,
      reached: isReached ? this.prices.get(distance)! : 0,
    }));
  }

  #isReached({ extreme, distance }: NaiveOrder, price: number): boolean {
    if (this.#side === 'sell') return price <= Math.ceil((extreme * (1_000_000 - distance)) / 1_000_000);
    return price >= Math.floor((extreme * (1_000_000 + distance)) / 1_000_000);
  }
}

const stop = (id: number, distance: number) => ({ orderId: orderId(id), account: accountId(1), trailingPpm: ppm(distance) });

/** The trail of a snapshot. */
function restored(side: Side, marks: readonly TrailMark[], distances: ReadonlyMap<number, number>, slots: Map<number, number>): Trail {
  const trail = new Trail(side);
  for (const mark of marks) slots.set(mark.orderId, trail.restore(stop(mark.orderId, distances.get(mark.orderId)!), mark));
  return trail;
}

describe('trailing stops', () => {
  test.each(SIDES)('O10: a %s trail takes what a list says, whatever is armed, cancelled and reached, and after a snapshot', (side) => {
    const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    console.log(`ORRERY_SEED=${seed}`);
    const chance = new Chance(seed);
    let trail = new Trail(side);
    const naive = new NaiveTrail(side);
    const slots = new Map<number, number>();
    const distances = new Map<number, number>();
    let price = 10_000;
    let taken = 0;
    for (let id = 1; id <= 20_000; id += 1) {
      const dice = chance.below(20);
      if (dice < 8) {
        const distance = chance.between(1, 40) * 5_000;
        naive.reach(price);
        naive.orders.push({ orderId: id, distance, extreme: price, isReached: false });
        distances.set(id, distance);
        trail.reach(ticks(price));
        slots.set(id, trail.add(stop(id, distance), ticks(price)));
      } else if (dice < 10 && naive.orders.length > 0) {
        const gone = chance.pick(naive.orders);
        naive.orders = naive.orders.filter((order) => order !== gone);
        trail.remove(slots.get(gone.orderId)!);
      } else if (dice < 15) {
        price = Math.min(20_000, Math.max(5_000, price + chance.between(-900, 900)));
        trail.reach(ticks(price));
        naive.reach(price);
      } else {
        const next = trail.takeNext();
        expect(next).toEqual(naive.takeNext());
        if (next !== undefined) taken += 1;
      }
      expect(trail.isPending).toBe(naive.orders.some(({ isReached }) => isReached));
      if (id % 50 !== 0) continue;
      expect(trail.marks()).toEqual(naive.marks());
      if (id % 1_000 === 0) trail = restored(side, trail.marks(), distances, slots);
    }
    expect(taken).toBeGreaterThan(500);
  });

  test('a sell follows the highest price and is reached a distance below it, a buy the lowest and above it', () => {
    const sell = new Trail('sell');
    const slot = sell.add(stop(1, 100_000), ticks(1_000));
    sell.reach(ticks(901));
    expect([sell.triggerPriceOf(slot), sell.isPending]).toEqual([900, false]);
    sell.reach(ticks(2_000));
    sell.reach(ticks(1_801));
    expect([sell.triggerPriceOf(slot), sell.isPending]).toEqual([1_800, false]);
    sell.reach(ticks(1_800));
    sell.reach(ticks(3_000));
    expect([sell.takeNext(), sell.takeNext()]).toEqual([{ orderId: 1, price: 1_800 }, undefined]);

    const buy = new Trail('buy');
    buy.add(stop(2, 100_000), ticks(1_000));
    buy.reach(ticks(500));
    buy.reach(ticks(549));
    expect(buy.isPending).toBe(false);
    buy.reach(ticks(550));
    expect(buy.takeNext()).toEqual({ orderId: 2, price: 550 });
  });
});
