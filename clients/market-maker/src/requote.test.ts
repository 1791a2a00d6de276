import * as fc from 'fast-check';
import { lots, ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import type { Quote } from './quote-ladder.ts';
import { carryOut, requote, type LiveOrder } from './requote.ts';

const quote = (side: Quote['side'], price: number, size: number): Quote => ({ side, price: ticks(price), size: lots(size) });
const order = (orderId: string, side: Quote['side'], price: number, remaining: number): LiveOrder => ({
  orderId,
  side,
  price: ticks(price),
  remaining: lots(remaining),
});

describe('a requote', () => {
  test('leaves what is good enough, replaces what shrank or grew too far, cancels what is not wanted', () => {
    const live = [order('1', 'buy', 100, 50), order('2', 'buy', 99, 49), order('3', 'sell', 101, 201), order('4', 'sell', 105, 100)];
    const wanted = [quote('buy', 100, 100), quote('buy', 99, 100), quote('sell', 101, 100), quote('sell', 102, 100)];
    expect(requote(live, wanted)).toEqual({ cancel: ['2', '3', '4'], create: [wanted[1], wanted[2], wanted[3]] });
  });

  test('keeps one of two orders at the same place', () => {
    expect(requote([order('1', 'buy', 100, 10), order('2', 'buy', 100, 10)], [quote('buy', 100, 10)])).toEqual({
      cancel: ['2'],
      create: [],
    });
  });

  test('done, leaves nothing to do', () => {
    const place = fc.tuple(
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 50 }),
    );
    fc.assert(
      fc.property(fc.array(place), fc.uniqueArray(place, { selector: ([side, price]) => `${side} ${price}` }), (before, after) => {
        const live = before.map(([side, price, size], index) => order(String(index), side, price, size));
        const wanted = after.map(([side, price, size]) => quote(side, price, size));
        const { cancel, create } = requote(live, wanted);
        const left = live.filter(({ orderId }) => !cancel.includes(orderId));
        const made = create.map(({ side, price, size }, index) => order(`new ${index}`, side, price, size));
        expect(requote([...left, ...made], wanted)).toEqual({ cancel: [], create: [] });
        expect(left.length + made.length).toBe(wanted.length);
      }),
    );
  });

  const place = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 50 }));
  /** Both sides of a book around a price, not crossed. */
  const book = (around: number, levels: readonly (readonly [number, number])[]): readonly Quote[] =>
    levels.flatMap(([away, size]) => [quote('buy', around - away, size), quote('sell', around + away, size)]);
  const levels = fc.uniqueArray(place, { selector: ([away]) => away, minLength: 1, maxLength: 8 });

  test('carried out, never meets an own order however far the price moves, and leaves no side of the book empty where there is money for old and new', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ before: levels, after: levels, jump: fc.integer({ min: -200, max: 200 }), spare: fc.integer({ min: 0, max: 30 }) }),
        async ({ before, after, jump, spare }) => {
          let made = 0;
          const open = new Map<string, LiveOrder>();
          const add = ({ side, price, size }: Quote): void => {
            const orderId = String((made += 1));
            open.set(orderId, { orderId, side, price, remaining: size });
          };
          const wanted = book(500 + jump, after);
          book(500, before).forEach(add);
          // Each order takes one of money: there is enough for what is wanted, and `spare` above what is open.
          const money = Math.max(open.size + spare, wanted.length);
          const check = (): void => {
            const of = (side: Quote['side']) => [...open.values()].filter((order) => order.side === side).map(({ price }) => price);
            expect(Math.max(...of('buy'))).toBeLessThan(Math.min(...of('sell')));
            if (spare >= wanted.length) expect([of('buy').length > 0, of('sell').length > 0]).toEqual([true, true]);
          };
          const live = [...open.values()];
          const refusal = await carryOut(live, requote(live, wanted), {
            create: async (quotes) => {
              const refused = quotes.filter((each) => {
                if (open.size >= money) return true;
                add(each);
                check();
                return false;
              });
              return { refused, refusal: refused.length > 0 ? 'no money' : undefined };
            },
            cancel: async (orderIds) => {
              for (const orderId of orderIds) open.delete(orderId);
              check();
              return undefined;
            },
          });
          expect(refusal).toBeUndefined();
          check();
          expect(requote(open.values(), wanted)).toEqual({ cancel: [], create: [] });
        },
      ),
    );
  });

  test('whose new quotes cannot be sent still takes the old ones out, and says why', async () => {
    const live = [order('1', 'buy', 90, 5), order('2', 'sell', 110, 5)];
    const wanted = [quote('buy', 120, 5), quote('sell', 130, 5)];
    const canceled: string[] = [];
    const carriedOut = carryOut(live, requote(live, wanted), {
      create: () => Promise.reject(new Error('no orders are taken now')),
      cancel: async (orderIds) => {
        canceled.push(...orderIds);
        return undefined;
      },
    });
    await expect(carriedOut).rejects.toThrow('no orders are taken now');
    expect(canceled.toSorted()).toEqual(['1', '2']);
  });
});
