import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LADDER_HEADER, LADDER_ROW, packLadder } from './ladder.ts';
import type { BookSide } from './ladder.ts';

const side = (...levels: readonly (readonly [price: number, size: number])[]): BookSide => ({
  prices: levels.map(([price]) => price),
  sizes: levels.map(([, size]) => size),
  length: levels.length,
});

interface Row {
  readonly price: number;
  readonly size: number;
  readonly total: number;
}

function rowsOf(frame: Float64Array): { readonly bids: Row[]; readonly asks: Row[] } {
  const [bidRows = 0, askRows = 0] = frame;
  const at = (row: number): Row => {
    const [price = 0, size = 0, total = 0] = frame.subarray(LADDER_HEADER + row * LADDER_ROW, LADDER_HEADER + (row + 1) * LADDER_ROW);
    return { price, size, total };
  };
  return {
    bids: Array.from({ length: bidRows }, (_, row) => at(row)),
    asks: Array.from({ length: askRows }, (_, row) => at(bidRows + row)),
  };
}

test('[S4] at a step of one tick the book is shown as it is, with running totals', () => {
  const frame = packLadder(side([100, 5], [99, 7]), side([101, 2], [103, 4]), { step: 1, rows: 10 });
  expect(rowsOf(frame)).toEqual({
    bids: [
      { price: 100, size: 5, total: 5 },
      { price: 99, size: 7, total: 12 },
    ],
    asks: [
      { price: 101, size: 2, total: 2 },
      { price: 103, size: 4, total: 6 },
    ],
  });
});

test('[S4] merging rounds bids down and asks up, so that no row promises a better price than its orders have', () => {
  const frame = packLadder(side([109, 1], [101, 2], [99, 3]), side([111, 1], [120, 2], [121, 3]), { step: 10, rows: 10 });
  expect(rowsOf(frame)).toEqual({
    bids: [
      { price: 100, size: 3, total: 3 },
      { price: 90, size: 3, total: 6 },
    ],
    asks: [
      { price: 120, size: 3, total: 3 },
      { price: 130, size: 3, total: 6 },
    ],
  });
});

test('no more rows are packed than are asked for, and the best prices are sent unmerged', () => {
  const frame = packLadder(side([109, 1], [99, 3], [89, 3]), side([111, 1]), { step: 10, rows: 2 });
  expect(rowsOf(frame).bids).toHaveLength(2);
  expect([frame[2], frame[3]]).toEqual([109, 111]);
});

test('an empty side has no rows and no best price', () => {
  const frame = packLadder(side(), side([111, 1]), { step: 1, rows: 2 });
  expect(rowsOf(frame)).toEqual({ bids: [], asks: [{ price: 111, size: 1, total: 1 }] });
  expect(frame[2]).toBe(0);
});

const levels = (order: 1 | -1): fc.Arbitrary<BookSide> =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 1_000 })), {
      selector: ([price]) => price,
      maxLength: 80,
    })
    .map((pairs) => side(...pairs.sort(([left], [right]) => order * (left - right))));

test('[S4] at any step the rows of a side add up to the whole side', () => {
  fc.assert(
    fc.property(levels(-1), levels(1), fc.integer({ min: 1, max: 400 }), (bids, asks, step) => {
      const rows = rowsOf(packLadder(bids, asks, { step, rows: 100 }));
      for (const [packed, whole] of [
        [rows.bids, bids],
        [rows.asks, asks],
      ] as const) {
        const sum = Array.from(whole.sizes).reduce((total, size) => total + size, 0);
        expect(packed.reduce((total, { size }) => total + size, 0)).toBe(sum);
        expect(packed.at(-1)?.total ?? 0).toBe(sum);
        expect(packed.every(({ price }) => price % step === 0)).toBe(true);
      }
    }),
  );
});
