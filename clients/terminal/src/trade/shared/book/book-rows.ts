/** How many rows of a side the order book has room for: the feed sends this number, and their sum is the full width of a depth bar. */
import { create } from 'zustand';

/** What a tall screen shows of one side. */
const MOST_ROWS = 60;

export const useBookRows = create<{ readonly rows: number }>()(() => ({ rows: 20 }));

export interface BookRoom {
  /** CSS pixels of the rows alone. */
  readonly height: number;
  readonly rowHeight: number;
  readonly sides: 1 | 2;
}

/** Whole rows only: half a price is not a price. */
export function rowsThatFit({ height, rowHeight, sides }: BookRoom): number {
  return Math.max(1, Math.min(MOST_ROWS, Math.floor(height / sides / rowHeight)));
}
