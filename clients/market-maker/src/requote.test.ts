import * as fc from 'fast-check';
import { lots, ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import type { Quote } from './quote-ladder.ts';
import { requote, type LiveOrder } from './requote.ts';

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
});
