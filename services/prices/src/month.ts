/** One month of consecutive minutes of one market, in its ticks and lots, and where they come from. */
import { lots, ticks, type Lots, type Ticks } from '@orrery/units';

/** The label published with the price. */
export type PriceLabel = 'recorded' | 'synthetic' | 'live';

export interface Minute {
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
}

export interface Month {
  readonly label: Exclude<PriceLabel, 'live'>;
  readonly minutes: Minutes;
}

const COLUMNS = 5;

/** As rows of numbers: as objects the months of a few markets would be most of what lies in memory. */
export class Minutes implements Iterable<Minute> {
  readonly #rows: Float64Array;

  constructor(minutes: Iterable<Minute>) {
    const values: number[] = [];
    for (const { open, high, low, close, volume } of minutes) values.push(open, high, low, close, volume);
    this.#rows = Float64Array.from(values);
  }

  get length(): number {
    return this.#rows.length / COLUMNS;
  }

  /** @param index from 0; from the end when it is negative */
  at(index: number): Minute | undefined {
    const row = (index < 0 ? index + this.length : index) * COLUMNS;
    const rows = this.#rows;
    const [open, high, low, close, volume] = [rows[row], rows[row + 1], rows[row + 2], rows[row + 3], rows[row + 4]];
    if (open === undefined || high === undefined || low === undefined || close === undefined || volume === undefined) return undefined;
    return { open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close), volume: lots(volume) };
  }

  *[Symbol.iterator](): Generator<Minute, void> {
    for (let index = 0; index < this.length; index += 1) {
      const minute = this.at(index);
      if (minute !== undefined) yield minute;
    }
  }
}
