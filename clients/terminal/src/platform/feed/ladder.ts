/** The book as the page shows it: levels merged by a price step, with running totals, packed in one array that crosses from the worker without a copy. */

import { ceilTicks, floorTicks, ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';

/** One side, best price first. Prices in ticks, sizes in lots. */
export interface BookSide {
  readonly prices: ArrayLike<number>;
  readonly sizes: ArrayLike<number>;
  readonly length: number;
}

export interface LadderShape {
  /** Ticks merged into one row; 1 shows the book as it is. */
  readonly step: number;
  /** Rows of each side. */
  readonly rows: number;
}

/** bids, asks, best bid, best ask; then per row: price, size, total. Bids come first. */
export const LADDER_HEADER = 4;
export const LADDER_ROW = 3;

/** A bid belongs to the row at or below its price, an ask to the row at or above it: a merged row never promises a better price than its orders have. */
export function rowPrice(price: Ticks, step: number, side: 'bid' | 'ask'): Ticks {
  return side === 'bid' ? floorTicks(price, step) : ceilTicks(price, step);
}

function mergeSide(side: BookSide, name: 'bid' | 'ask', shape: LadderShape, into: Float64Array, from: number): number {
  let rows = 0;
  let at = from;
  let total = 0;
  let current = -1;
  for (let level = 0; level < side.length; level += 1) {
    const price = rowPrice(ticks(side.prices[level] ?? 0), shape.step, name);
    const size = side.sizes[level] ?? 0;
    if (price !== current) {
      if (rows === shape.rows) break;
      at = from + rows * LADDER_ROW;
      into[at] = price;
      into[at + 1] = 0;
      current = price;
      rows += 1;
    }
    total += size;
    into[at + 1] = (into[at + 1] ?? 0) + size;
    into[at + 2] = total;
  }
  return rows;
}

export function packLadder(bids: BookSide, asks: BookSide, shape: LadderShape): Float64Array<ArrayBuffer> {
  const frame = new Float64Array(LADDER_HEADER + 2 * shape.rows * LADDER_ROW);
  const bidRows = mergeSide(bids, 'bid', shape, frame, LADDER_HEADER);
  const askRows = mergeSide(asks, 'ask', shape, frame, LADDER_HEADER + bidRows * LADDER_ROW);
  frame[0] = bidRows;
  frame[1] = askRows;
  frame[2] = bids.prices[0] ?? 0;
  frame[3] = asks.prices[0] ?? 0;
  return frame;
}
