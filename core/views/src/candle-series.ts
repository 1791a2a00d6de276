/**
 * The candles of one market and interval, oldest first, as rows of numbers: a month of minutes as objects of their own would be tens of
 * thousands of them for each market, which the collector walks over again and again.
 */
import { addAtoms, addLots, assert, lots, millis, NO_ATOMS, ticks, type Atoms, type Lots, type Millis, type Ticks } from '@orrery/units';

export interface Candle {
  readonly openTime: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
  /** Quote atoms. */
  readonly quoteVolume: Atoms;
}

/** The columns of a row; the quote volume may be larger than a number holds, and lies beside. */
const OPEN_TIME = 0;
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;
const VOLUME = 5;
const COLUMNS = 6;

const FIRST_ROWS = 64;

export class CandleSeries {
  readonly #kept: number;
  #rows = new Float64Array(FIRST_ROWS * COLUMNS);
  #quoteVolumes: Atoms[] = [];

  /** @param kept the least number of candles that are kept; older ones are dropped now and then */
  constructor(kept: number) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#quoteVolumes.length;
  }

  copy(): CandleSeries {
    const series = new CandleSeries(this.#kept);
    series.#rows = this.#rows.slice();
    series.#quoteVolumes = this.#quoteVolumes.slice();
    return series;
  }

  at(index: number): Candle {
    const [row, quoteVolume] = [index * COLUMNS, this.#quoteVolumes[index]];
    assert(quoteVolume !== undefined, `candle ${index} is one of ${this.length}`);
    return {
      openTime: millis(this.#rows[row + OPEN_TIME] ?? 0),
      open: ticks(this.#rows[row + OPEN] ?? 0),
      high: ticks(this.#rows[row + HIGH] ?? 0),
      low: ticks(this.#rows[row + LOW] ?? 0),
      close: ticks(this.#rows[row + CLOSE] ?? 0),
      volume: lots(this.#rows[row + VOLUME] ?? 0),
      quoteVolume,
    };
  }

  get last(): Candle | undefined {
    return this.length === 0 ? undefined : this.at(this.length - 1);
  }

  slice(start: number, end: number): Candle[] {
    return Array.from({ length: Math.max(0, end - start) }, (_, offset) => this.at(start + offset));
  }

  /** One candle of all from `start` up to `end`; none of none. */
  joined(start: number, end: number): Candle | undefined {
    if (end <= start) return undefined;
    const first = this.at(start);
    let high: number = first.high;
    let low: number = first.low;
    let volume: number = first.volume;
    let { quoteVolume } = first;
    for (let index = start + 1; index < end; index += 1) {
      const row = index * COLUMNS;
      high = Math.max(high, this.#rows[row + HIGH] ?? high);
      low = Math.min(low, this.#rows[row + LOW] ?? low);
      volume += this.#rows[row + VOLUME] ?? 0;
      quoteVolume = addAtoms(quoteVolume, this.#quoteVolumes[index] ?? NO_ATOMS);
    }
    const { close } = this.at(end - 1);
    return { ...first, high: ticks(high), low: ticks(low), close, volume: lots(volume), quoteVolume };
  }

  /** Adds a part: to the last candle when it opened then or later, else as a new one. */
  merge(part: Candle, openTime: Millis): void {
    const last = this.length - 1;
    if (last >= 0 && (this.#rows[last * COLUMNS + OPEN_TIME] ?? 0) >= openTime) return this.#join(last, part);
    this.#makeRoom();
    this.#write(this.length, part, openTime);
  }

  /** Index of the first candle that opened after `time`. */
  firstAfter(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle * COLUMNS + OPEN_TIME] ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What `joinCandles` computes, in place: every trade does this to each of its candles. */
  #join(index: number, { high, low, close, volume, quoteVolume }: Candle): void {
    const rows = this.#rows;
    const row = index * COLUMNS;
    rows[row + HIGH] = Math.max(rows[row + HIGH] ?? high, high);
    rows[row + LOW] = Math.min(rows[row + LOW] ?? low, low);
    rows[row + CLOSE] = close;
    rows[row + VOLUME] = lots((rows[row + VOLUME] ?? 0) + volume);
    this.#quoteVolumes[index] = addAtoms(this.#quoteVolumes[index] ?? NO_ATOMS, quoteVolume);
  }

  #write(index: number, { open, high, low, close, volume, quoteVolume }: Candle, openTime: Millis): void {
    const rows = this.#rows;
    const row = index * COLUMNS;
    rows[row + OPEN_TIME] = openTime;
    rows[row + OPEN] = open;
    rows[row + HIGH] = high;
    rows[row + LOW] = low;
    rows[row + CLOSE] = close;
    rows[row + VOLUME] = volume;
    this.#quoteVolumes[index] = quoteVolume;
  }

  #makeRoom(): void {
    const { length } = this;
    if (length >= 1.1 * this.#kept) {
      // Dropped rarely: each time the whole series moves.
      const dropped = length - this.#kept;
      this.#rows.copyWithin(0, dropped * COLUMNS, length * COLUMNS);
      this.#quoteVolumes = this.#quoteVolumes.slice(dropped);
    } else if (length * COLUMNS === this.#rows.length) {
      const rows = new Float64Array(Math.min(2 * this.#rows.length, COLUMNS * Math.ceil(1.1 * this.#kept)));
      rows.set(this.#rows);
      this.#rows = rows;
    }
  }
}

/** One candle of two that follow one another, or of parts of one. */
export function joinCandles(first: Candle, then: Candle): Candle {
  return {
    openTime: first.openTime,
    open: first.open,
    high: then.high > first.high ? then.high : first.high,
    low: then.low < first.low ? then.low : first.low,
    close: then.close,
    volume: addLots(first.volume, then.volume),
    quoteVolume: addAtoms(first.quoteVolume, then.quoteVolume),
  };
}
