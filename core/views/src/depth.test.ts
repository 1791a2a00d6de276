import * as fc from 'fast-check';
import { Book, NO_SLOT } from '@orrery/engine/book';
import type { Event, Side } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, NO_ATOMS, NO_LOTS, orderId, ticks, tradeId } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import type { DepthLevel } from './depth-side.ts';
import { DepthView } from './depth.ts';

const market = marketId(1);
const alice = accountId(1);
const bob = accountId(2);

/** A market that only knows resting, trading, reducing and cancelling, with the events of the engine. */
class Tape {
  readonly book = new Book();
  #orders = 0;
  #trades = 0;

  rest(side: Side, price: Ticks, remaining: Lots): Event[] {
    this.#orders += 1;
    const id = orderId(this.#orders);
    this.book.add(id, alice, side, price, remaining);
    return [
      { type: 'OrderRested', orderId: id, account: alice, market, side, price, remaining, filled: NO_LOTS, filledNotional: NO_ATOMS },
    ];
  }

  /** bob takes up to `size` from a side. */
  take(side: Side, size: number): Event[] {
    const events: Event[] = [];
    let left = size;
    for (let maker = this.book.best(side); maker !== NO_SLOT && left > 0; maker = this.book.best(side)) {
      const filled = lots(Math.min(left, this.book.remainingOf(maker)));
      const [price, makerOrderId] = [this.book.priceOf(maker), this.book.orderIdOf(maker)];
      const makerRemaining = this.book.reduce(maker, filled);
      left -= filled;
      this.#trades += 1;
      events.push({
        type: 'Trade',
        tradeId: tradeId(this.#trades),
        market,
        price,
        size: filled,
        notional: atoms(BigInt(filled) * BigInt(price)),
        takerSide: side === 'buy' ? 'sell' : 'buy',
        takerOrderId: orderId(1_000_000),
        takerAccount: bob,
        takerFee: NO_ATOMS,
        makerOrderId,
        makerAccount: alice,
        makerFee: NO_ATOMS,
        makerRemaining,
      });
    }
    return events;
  }

  reduce(side: Side, by: number): Event[] {
    const slot = this.book.best(side);
    if (slot === NO_SLOT) return [];
    const reducedBy = lots(Math.min(by, this.book.remainingOf(slot)));
    const event = { orderId: this.book.orderIdOf(slot), account: alice, market, side, price: this.book.priceOf(slot), reducedBy };
    return [{ type: 'OrderReduced', ...event, remaining: this.book.reduce(slot, reducedBy) }];
  }

  /** The best order, as one that is smaller in its place or leaves it: what it does then are events of their own. */
  amend(side: Side, by: number): Event[] {
    const slot = this.book.best(side);
    if (slot === NO_SLOT) return [];
    const [oldPrice, standing, id] = [this.book.priceOf(slot), this.book.remainingOf(slot), this.book.orderIdOf(slot)];
    const keepsPlace = by % 2 === 0;
    const removed = lots(keepsPlace ? Math.min(by, standing - 1) : standing);
    if (!keepsPlace) this.book.remove(slot);
    else if (removed > 0) this.book.reduce(slot, removed);
    const terms = { orderId: id, account: alice, market, clientOrderId: '', side, price: oldPrice, size: standing };
    return [{ type: 'OrderAmended', ...terms, remaining: lots(standing - (keepsPlace ? removed : 0)), oldPrice, removed, keepsPlace }];
  }

  cancel(side: Side, pick: number): Event[] {
    const slots = [...this.book.orders(side)];
    const slot = slots[pick % slots.length];
    if (slot === undefined) return [];
    const [price, removed, id] = [this.book.priceOf(slot), this.book.remainingOf(slot), this.book.orderIdOf(slot)];
    this.book.remove(slot);
    return [
      {
        type: 'OrderClosed',
        orderId: id,
        account: alice,
        market,
        clientOrderId: '',
        reason: 'canceledByAccount',
        side,
        price,
        removed,
        filled: NO_LOTS,
        filledNotional: NO_ATOMS,
      },
    ];
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('rest' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.nat(15),
      size: fc.integer({ min: 1, max: 9 }),
    }),
  },
  fc.record({
    type: fc.constantFrom('take' as const, 'reduce' as const, 'amend' as const, 'cancel' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.integer({ min: 1, max: 25 }),
  }),
  fc.record({ type: fc.constant('drain' as const) }),
);

function play(tape: Tape, each: Exclude<typeof step extends fc.Arbitrary<infer Step> ? Step : never, { type: 'drain' }>): Event[] {
  if (each.type === 'rest') return tape.rest(each.side, ticks(each.side === 'buy' ? 100 - each.price : 101 + each.price), lots(each.size));
  return tape[each.type](each.side, each.size);
}

describe('O9: depth', () => {
  test('is the book by price level, and a snapshot with the changes after it is the same depth', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(120), (steps, snapshotAt) => {
        const tape = new Tape();
        const view = new DepthView(market);
        let reader: { updateId: number; buy: Map<number, number>; sell: Map<number, number> } | undefined;
        const drain = (): void => {
          for (const change of view.drainChanges()) {
            // What was numbered before the reader's snapshot is in it.
            if (reader === undefined || change.updateId <= reader.updateId) continue;
            expect(change.updateId).toBe(reader.updateId + 1);
            reader.updateId = change.updateId;
            // A level that came and went is sent to readers that never saw it, too.
            if (change.size === 0) reader[change.side].delete(change.price);
            else reader[change.side].set(change.price, change.size);
          }
        };
        steps.forEach((each, index) => {
          if (index === snapshotAt) {
            const { updateId, bids, asks } = view.snapshot(Infinity);
            const byPrice = (levels: typeof bids) => new Map<number, number>(levels.map(({ price, size }) => [price, size]));
            reader = { updateId, buy: byPrice(bids), sell: byPrice(asks) };
          }
          if (each.type === 'drain') drain();
          else for (const event of play(tape, each)) view.apply(event);
          const { bids, asks } = view.snapshot(Infinity);
          expect(bids).toEqual(tape.book.levels('buy', Infinity));
          expect(asks).toEqual(tape.book.levels('sell', Infinity));
        });
        drain();
        for (const side of ['buy', 'sell'] as const) {
          const levels = tape.book.levels(side, Infinity).map(({ price, size }) => [price, size] as const);
          if (reader !== undefined) expect(reader[side]).toEqual(new Map<number, number>(levels));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('sends a level once however often it changed, and not at all when it is unchanged', () => {
    const tape = new Tape();
    const view = new DepthView(market);
    const events = [
      ...tape.rest('buy', ticks(100), lots(5)),
      ...tape.rest('buy', ticks(100), lots(2)),
      ...tape.rest('sell', ticks(101), lots(1)),
    ];
    for (const event of [...events, ...tape.cancel('sell', 0)]) view.apply(event);
    expect(view.drainChanges()).toEqual([{ updateId: 1, side: 'buy', price: 100, size: 7 }]);
    expect(view.drainChanges()).toEqual([]);
  });

  test('a snapshot holds exactly the changes up to its id, those not yet drained too', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 8 }), (steps, reads) => {
        const tape = new Tape();
        const view = new DepthView(market);
        const snapshots: ReturnType<DepthView['snapshot']>[] = [];
        const replica = { buy: new Map<number, number>(), sell: new Map<number, number>() };
        /** The replica as it is at each id. */
        const byId = new Map([[0, structuredClone(replica)]]);
        const drain = (): void => {
          for (const { updateId, side, price, size } of view.drainChanges()) {
            if (size === 0) replica[side].delete(price);
            else replica[side].set(price, size);
            byId.set(updateId, structuredClone(replica));
          }
        };
        steps.forEach((each, index) => {
          if (each.type === 'drain') drain();
          else for (const event of play(tape, each)) view.apply(event);
          if (reads.includes(index)) snapshots.push(view.snapshot(Infinity));
        });
        drain();
        const levels = (side: readonly DepthLevel[]) => new Map<number, number>(side.map(({ price, size }) => [price, size]));
        for (const { updateId, bids, asks } of snapshots) expect({ buy: levels(bids), sell: levels(asks) }).toEqual(byId.get(updateId));
      }),
      { numRuns: 300 },
    );
  });

  test('sends a level that changed back to readers that saw another value in between', () => {
    const tape = new Tape();
    const view = new DepthView(market);
    for (const event of tape.rest('sell', ticks(101), lots(1))) view.apply(event);
    expect(view.snapshot(10)).toEqual({ updateId: 1, bids: [], asks: [{ price: 101, size: 1, orders: 1 }] });
    for (const event of tape.cancel('sell', 0)) view.apply(event);
    expect(view.drainChanges()).toEqual([
      { updateId: 1, side: 'sell', price: 101, size: 1 },
      { updateId: 2, side: 'sell', price: 101, size: 0 },
    ]);
    expect(view.drainChanges()).toEqual([]);
  });

  test('of another market is left alone', () => {
    const view = new DepthView(marketId(2));
    for (const event of new Tape().rest('buy', ticks(100), lots(5))) view.apply(event);
    expect(view.best('buy')).toBeUndefined();
  });
});
