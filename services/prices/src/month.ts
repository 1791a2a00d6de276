/** One month of consecutive minutes of one market, in its ticks, and where they come from. */
import { ticks, type Ticks } from '@orrery/units';

/** The label published with the price. */
export type PriceLabel = 'recorded' | 'synthetic' | 'live';

export interface Minute {
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
}

export interface Month {
  readonly label: Exclude<PriceLabel, 'live'>;
  readonly minutes: Minutes;
}

const COLUMNS = 4;
const FIRST_ROWS = 1 << 16;

/** As rows of numbers: as objects the months of a few markets would be most of what lies in memory. */
export class Minutes implements Iterable<Minute> {
  readonly #rows: Float64Array;

  constructor(minutes: Iterable<Minute>) {
    let rows = new Float64Array(FIRST_ROWS * COLUMNS);
    let length = 0;
    for (const { open, high, low, close } of minutes) {
      if (length === rows.length) rows = enlarged(rows);
      rows[length] = open;
      rows[length + 1] = high;
      rows[length + 2] = low;
      rows[length + 3] = close;
      length += COLUMNS;
    }
    this.#rows = rows.slice(0, length);
  }

  get length(): number {
    return this.#rows.length / COLUMNS;
  }

  /** @param index from 0; from the end when it is negative */
  at(index: number): Minute | undefined {
    const row = (index < 0 ? index + this.length : index) * COLUMNS;
    const rows = this.#rows;
    // Without a list of the four: a start reads a million minutes.
    const open = rows[row];
    const high = rows[row + 1];
    const low = rows[row + 2];
    const close = rows[row + 3];
    if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined;
    return { open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close) };
  }

  *[Symbol.iterator](): Generator<Minute, void> {
    for (let index = 0; index < this.length; index += 1) {
      const minute = this.at(index);
      if (minute !== undefined) yield minute;
    }
  }
}

function enlarged(rows: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * rows.length);
  larger.set(rows);
  return larger;
}
