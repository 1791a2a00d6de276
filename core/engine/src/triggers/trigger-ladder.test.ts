import { expect, test } from 'vitest';
import { accountId, orderId, ticks } from '@orrery/units';
import { Chance } from '../testing/chance.ts';
import { TriggerLadder, type Direction, type TriggeredOrder } from './trigger-ladder.ts';

/** The same in one list: marks are kept, and the next order is looked for from the start. */
class NaiveTriggers {
  orders: TriggeredOrder[] = [];
  high = 0;
  low = 0;

  reach(price: number): void {
    if (this.orders.some(({ direction, triggerPrice }) => direction === 'rise' && triggerPrice <= price))
      this.high = Math.max(this.high, price);
    if (this.orders.some(({ direction, triggerPrice }) => direction === 'fall' && triggerPrice >= price))
      this.low = this.low === 0 ? price : Math.min(this.low, price);
  }

  takeNext(): { orderId: number; price: number } | undefined {
    const nearest = this.orders
      .filter(({ direction, triggerPrice }) =>
        direction === 'rise' ? triggerPrice <= this.high : this.low > 0 && triggerPrice >= this.low,
      )
      .sort((left, right) => left.orderId - right.orderId);
    const buy = nearest.filter(({ direction }) => direction === 'rise').sort((left, right) => left.triggerPrice - right.triggerPrice)[0];
    const sell = nearest.filter(({ direction }) => direction === 'fall').sort((left, right) => right.triggerPrice - left.triggerPrice)[0];
    const next = nearest.find((order) => order === buy || order === sell);
    if (next === undefined) {
      this.high = 0;
      this.low = 0;
      return undefined;
    }
    this.orders = this.orders.filter((order) => order !== next);
    return { orderId: next.orderId, price: next.direction === 'rise' ? this.high : this.low };
  }
}

test('O10: orders that wait for a price are taken as a list says, whatever is armed, cancelled and reached', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`ORRERY_SEED=${seed}`);
  const chance = new Chance(seed);
  const ladder = new TriggerLadder();
  const naive = new NaiveTriggers();
  const slots = new Map<number, number>();
  let taken = 0;
  for (let id = 1; id <= 20_000; id += 1) {
    const dice = chance.below(10);
    if (dice < 5) {
      const order = {
        orderId: orderId(id),
        account: accountId(1),
        direction: chance.pick(['rise', 'fall'] as const),
        triggerPrice: ticks(chance.between(1, 60)),
      };
      naive.orders.push(order);
      slots.set(id, ladder.add(order));
    } else if (dice < 6 && naive.orders.length > 0) {
      const gone = chance.pick(naive.orders);
      naive.orders = naive.orders.filter((order) => order !== gone);
      ladder.remove(slots.get(gone.orderId)!);
    } else if (dice < 7) {
      const price = ticks(chance.between(1, 60));
      ladder.reach(price);
      naive.reach(price);
    } else {
      const next = ladder.takeNext();
      expect(next).toEqual(naive.takeNext());
      if (next !== undefined) taken += 1;
    }
    expect(ladder.marks).toEqual({ high: naive.high, low: naive.low });
    if (id % 100 === 0)
      expect([...ladder.waiting()].sort((left, right) => left - right)).toEqual(naive.orders.map((order) => order.orderId));
  }
  expect(taken).toBeGreaterThan(1_000);
});

test('an order at the price itself is reached, one a tick beyond is not', () => {
  const ladder = new TriggerLadder();
  const order = (id: number, direction: Direction, price: number): TriggeredOrder => ({
    orderId: orderId(id),
    account: accountId(1),
    direction,
    triggerPrice: ticks(price),
  });
  for (const each of [order(1, 'rise', 101), order(2, 'rise', 100), order(3, 'fall', 100), order(4, 'fall', 99)]) ladder.add(each);
  expect(ladder.takeAll(ticks(100))).toEqual([
    { orderId: 2, price: 100 },
    { orderId: 3, price: 100 },
  ]);
  ladder.reach(ticks(100));
  expect(ladder.isPending).toBe(false);
  ladder.reach(ticks(101));
  expect(ladder.takeNext()).toEqual({ orderId: 1, price: 101 });
  expect([ladder.isPending, ladder.takeNext(), ladder.isPending]).toEqual([true, undefined, false]);
});
