import * as fc from 'fast-check';
import { accountId, lots, orderId, ticks } from '@orrery/units';
import { SIDES } from '@orrery/protocol';
import { describe, expect, test } from 'vitest';
import { Book, BOOK_PRICE_MAX, NO_SLOT } from './book.ts';
import { BookPair } from './testing/book-pair.ts';
import type { BookCommand } from './testing/book-pair.ts';

const alice = accountId(1);
const bob = accountId(2);

function place(book: Book, line: string): void {
  const [id, who, side, size, , price] = line.split(' ');
  book.add(
    orderId(Number(id?.slice(1))),
    who === 'alice' ? alice : bob,
    side === 'buy' ? 'buy' : 'sell',
    ticks(Number(price)),
    lots(Number(size)),
  );
}

const tape = (book: Book, side: 'buy' | 'sell'): string[] =>
  [...book.orders(side)].map((slot) => `#${book.orderIdOf(slot)} ${book.remainingOf(slot)} @ ${book.priceOf(slot)}`);

describe('priority', () => {
  test('buys stand highest price first, sells lowest first, and equal prices in order of arrival', () => {
    const book = new Book();
    for (const line of [
      '#1 alice buy 5 @ 100',
      '#2 bob buy 5 @ 101',
      '#3 bob buy 2 @ 100',
      '#4 alice buy 1 @ 101',
      '#5 bob sell 3 @ 105',
      '#6 alice sell 4 @ 103',
      '#7 bob sell 9 @ 105',
    ])
      place(book, line);
    expect(tape(book, 'buy')).toEqual(['#2 5 @ 101', '#4 1 @ 101', '#1 5 @ 100', '#3 2 @ 100']);
    expect(tape(book, 'sell')).toEqual(['#6 4 @ 103', '#5 3 @ 105', '#7 9 @ 105']);
    expect([book.bestPrice('buy'), book.bestPrice('sell')]).toEqual([101, 103]);
    expect(book.levels('sell', 10)).toEqual([
      { price: 103, size: 4, orders: 1 },
      { price: 105, size: 12, orders: 2 },
    ]);
  });

  test('a reduced order keeps its place; reduced to nothing it leaves', () => {
    const book = new Book();
    for (const line of ['#1 alice sell 5 @ 100', '#2 bob sell 5 @ 100']) place(book, line);
    expect(book.reduce(book.best('sell'), lots(3))).toBe(2);
    expect(tape(book, 'sell')).toEqual(['#1 2 @ 100', '#2 5 @ 100']);
    expect(book.reduce(book.best('sell'), lots(2))).toBe(0);
    expect(tape(book, 'sell')).toEqual(['#2 5 @ 100']);
  });

  test('an empty side has no best order and the price 0', () => {
    const book = new Book();
    place(book, '#1 alice sell 5 @ 100');
    book.remove(book.best('sell'));
    expect([book.best('sell'), book.bestPrice('sell'), book.levels('sell', 5)]).toEqual([NO_SLOT, 0, []]);
  });
});

describe('what the book holds', () => {
  test('ids beyond 2^32 and prices at both ends of the range', () => {
    const book = new Book();
    const far = orderId(2 ** 40 + 1);
    const slot = book.add(far, alice, 'buy', ticks(1), lots(Number.MAX_SAFE_INTEGER));
    book.add(orderId(1), bob, 'buy', BOOK_PRICE_MAX, lots(1));
    book.add(orderId(2), bob, 'sell', BOOK_PRICE_MAX, lots(1));
    expect(book.orderIdOf(slot)).toBe(far);
    expect(tape(book, 'buy')).toEqual([`#1 1 @ ${BOOK_PRICE_MAX}`, `#${far} ${Number.MAX_SAFE_INTEGER} @ 1`]);
    expect(book.bestPrice('sell')).toBe(BOOK_PRICE_MAX);
  });

  test('an account, a price and a reduction at their bounds, and not beyond', () => {
    const book = new Book();
    const last = accountId(2 ** 31 - 1);
    const slot = book.add(orderId(1), last, 'buy', ticks(1), lots(2));
    expect([book.accountOf(slot), book.priceOf(slot)]).toEqual([last, 1]);
    expect(() => book.add(orderId(2), accountId(2 ** 31), 'buy', ticks(1), lots(1))).toThrow('an account has an id the book can hold');
    expect(() => book.add(orderId(2), bob, 'buy', ticks(0), lots(1))).toThrow('a resting order has a price the book can hold');
    expect(() => book.reduce(slot, lots(0))).toThrow('an order is reduced by what it has');
    expect(book.reduce(slot, lots(1))).toBe(1);
  });

  test('a price or a size it cannot hold, and a free slot are bugs', () => {
    const book = new Book();
    place(book, '#1 alice sell 5 @ 100');
    const slot = book.best('sell');
    expect(() => book.add(orderId(3), bob, 'buy', ticks(BOOK_PRICE_MAX + 1), lots(1))).toThrow('price');
    expect(() => book.add(orderId(3), bob, 'buy', ticks(9), lots(0))).toThrow('size');
    expect(() => book.reduce(slot, lots(6))).toThrow('reduced');
    book.remove(slot);
    expect(() => book.remove(slot)).toThrow('slot');
  });
});

/** Where the prices of a flow lie: around one price, far apart, on page borders of the ladder, all over the range. */
const PRICES: Readonly<Record<string, (roll: number) => number>> = {
  near: (roll) => 100_000 + (roll % 40),
  sparse: (roll) => 1 + (roll % 1000) * 1_000_003,
  borders: (roll) => 1024 * (1 + (roll % 5)) + ((roll >> 8) % 3) - 1 + ((roll >> 16) % 2) * 2 ** 20,
  anywhere: (roll) => 1 + (roll % BOOK_PRICE_MAX),
};

describe('O3: the fast book and the naive one', () => {
  test('agree on every answer for any short run of commands', () => {
    const roll = fc.nat({ max: 2 ** 30 });
    const command: fc.Arbitrary<BookCommand> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          type: fc.constant('add' as const),
          side: fc.constantFrom(...SIDES),
          price: roll,
          size: fc.integer({ min: 1, max: 9 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), pick: roll }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('reduce' as const), pick: roll, share: roll }) },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('take' as const),
          side: fc.constantFrom(...SIDES),
          size: fc.integer({ min: 1, max: 30 }),
        }),
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(PRICES)), fc.array(command, { maxLength: 60 }), (prices, commands) => {
        const pair = new BookPair({ first: 1, step: 2 ** 31 + 1 });
        for (const each of commands) {
          pair.apply(each.type === 'add' ? { ...each, price: PRICES[prices]?.(each.price) ?? 1 } : each);
          pair.compare();
        }
      }),
      { numRuns: 300 },
    );
  });

  const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 2 ** 31);
  const commands = Number(process.env['ORRERY_COMMANDS'] ?? 250_000);
  test.each(Object.keys(PRICES))(`agree over ${commands} commands with prices %s`, (prices) => {
    console.log(`book pair: seed ${seed} (set ORRERY_SEED to repeat)`);
    const next = random(seed);
    const pair = new BookPair({ first: 1, step: 1 + (next() % 3) });
    // The live set swings between a handful and a few hundred orders, so that columns, hash and pages grow and shrink.
    for (let count = 0; count < commands; count += 1) {
      const grows = (count >> 12) % 2 === 0;
      pair.apply(drawCommand(next, grows ? 60 : 35, PRICES[prices] ?? (() => 1)));
      if (count % 250 === 0) pair.compare();
    }
    pair.compare();
  });
});

/** xorshift32. */
function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 1;
  };
}

function drawCommand(next: () => number, addPercent: number, price: (roll: number) => number): BookCommand {
  const roll = next() % 100;
  const side = next() % 2 === 0 ? 'buy' : 'sell';
  if (roll < addPercent) return { type: 'add', side, price: price(next()), size: 1 + (next() % 20) };
  if (roll < 90) return { type: 'remove', pick: next() };
  if (roll < 95) return { type: 'reduce', pick: next(), share: next() };
  return { type: 'take', side, size: 1 + (next() % 60) };
}
