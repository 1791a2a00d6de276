import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { millis, orderId, ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import type { OpenOrder } from '../orders/open-order.ts';
import { openOrder, orderOf } from '../testing/alices-orders.ts';
import { Chance } from '../testing/chance.ts';
import { ClientOrders } from './client-orders.ts';
import { decodeClosings, type ClosedClientOrder } from './closings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const named = (clientOrderId: string, id: number, at: number): Order =>
  orderOf(id, { clientOrderId, price: ticks(1 + (id % 7)), createdAt: millis(at) });

/** The rule in one list: of a name the last closing, of these the last 1,024, of these the ones younger than a day when the last one closed. */
class NaiveNames {
  readonly open = new Map<string, OpenOrder>();
  closed: ClosedClientOrder[] = [];

  close(name: string, at: number): OpenOrder {
    const open = this.open.get(name)!;
    this.open.delete(name);
    const { order, replaces } = open;
    this.closed = [...this.closed.filter((other) => other.order.clientOrderId !== name), { order, replaces, closedAt: millis(at) }]
      .slice(-1_024)
      .filter(({ closedAt }) => at - closedAt < DAY);
    return open;
  }

  known(name: string, at: number): { asked: Order; replaces: number } | undefined {
    const closed = this.closed.find(({ order }) => order.clientOrderId === name);
    return (
      this.open.get(name) ??
      (closed !== undefined && at - closed.closedAt < DAY ? { asked: closed.order, replaces: closed.replaces } : undefined)
    );
  }
}

class Twins {
  readonly #orders = new ClientOrders<OpenOrder>();
  readonly #naive = new NaiveNames();
  readonly #chance: Chance;
  #at = 1_790_000_000_000;
  #id = 0;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  enter(name: string): void {
    if (this.#naive.open.has(name)) return;
    this.#id += 1;
    const order = named(name, this.#id, this.#at);
    const open = openOrder(order, { replaces: this.#chance.below(3) === 0 ? orderId(this.#id) : 0 });
    this.#naive.open.set(name, open);
    this.#orders.enter(open);
  }

  closeAny(): void {
    const names = [...this.#naive.open.keys()];
    const name = names[this.#chance.below(Math.max(1, names.length))];
    if (name !== undefined) this.#orders.close(this.#naive.close(name, this.#at), millis(this.#at));
  }

  /** The name that is forgotten next, as the last one asked for before it is and the first one after. */
  forgetting(act: () => void): void {
    const oldest = this.#naive.closed[0]?.order.clientOrderId;
    if (oldest !== undefined) this.check(oldest);
    act();
    if (oldest !== undefined) this.check(oldest);
  }

  wait(ms: number): void {
    this.#at += ms;
  }

  check(name: string): void {
    const known = this.#orders.known(name, millis(this.#at));
    const expected = this.#naive.known(name, this.#at);
    expect(known?.asked).toEqual(expected?.asked);
    expect(known?.replaces).toBe(expected?.replaces);
    expect(this.#orders.open(name)).toBe(this.#naive.open.get(name));
  }

  checkAll(): void {
    const closed = this.#orders.closed();
    expect([...decodeClosings(closed)]).toEqual(this.#naive.closed);
    const restored = new ClientOrders<OpenOrder>();
    restored.restoreClosed(closed);
    expect(restored.closed()).toEqual({ count: closed.count, bytes: closed.bytes });
  }
}

/** How the names of a run are drawn. */
const NAMES: Readonly<Record<string, (chance: Chance, count: number) => string>> = {
  'every order with a name of its own': (_chance, count) => `n${count}`,
  'a few names again and again': (chance) => `n${chance.below(5)}`,
  // order-229599 and order-432382 have one hash, and so have six more of these.
  'a few of which two and two have one hash': (chance) =>
    `order-${chance.below(2) === 0 ? 229_590 + chance.below(10) : 432_380 + chance.below(10)}`,
  'most of their own, some again': (chance, count) => (chance.below(4) === 0 ? `n${chance.below(300)}` : `n${count}`),
};

test.each(Object.entries(NAMES))('O7, R3: names and their closings are what one list says they are: %s', (_what, draw) => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`client orders: seed ${seed} (set ORRERY_SEED to repeat)`);
  const chance = new Chance(seed);
  const twins = new Twins(seed);
  for (let count = 0; count < 12_000; count += 1) {
    const name = draw(chance, count);
    twins.enter(name);
    if (count > 3) twins.forgetting(() => twins.closeAny());
    if (chance.below(3_000) === 0) twins.wait(chance.below(26) * HOUR);
    twins.check(name);
    twins.check(`n${chance.below(count + 1)}`);
    if (count % 400 === 0) twins.checkAll();
  }
  twins.checkAll();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function bytesAlive(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

// A row of a name is some 30 bytes, a closing some 90: never evicted, 100,000 of either would be megabytes.
test.each<[what: string, nameOf: (id: number) => string]>([
  ['names of their own', (id) => `n${id}`],
  ['two names again and again', (id) => `n${id % 2}`],
])('an account that trades for weeks takes no more memory, with %s', (_what, nameOf) => {
  const orders = new ClientOrders<OpenOrder>();
  const trade = (from: number, to: number): void => {
    for (let id = from; id < to; id += 1) {
      const open = openOrder(named(nameOf(id), id, 0));
      orders.enter(open);
      orders.close(open, millis(0));
    }
  };
  trade(1, 20_000);
  const before = bytesAlive();
  trade(20_000, 120_000);
  expect(bytesAlive() - before).toBeLessThan(1_000_000);
});
