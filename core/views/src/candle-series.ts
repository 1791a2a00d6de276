/**
 * The candles of one market and interval, oldest first, as rows of numbers: a month of minutes as objects of their own would be tens of
 * thousands of them for each market, which the collector walks over again and again. What several series begin with they have in common.
 */
import { addAtoms, addLots, lots, millis, NO_ATOMS, ticks, type Atoms, type Lots, type Millis, type Ticks } from '@orrery/units';

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

/** Rows of one chunk. */
const CHUNK_ROWS = 256;

interface Chunk {
  readonly rows: Float64Array;
  readonly quoteVolumes: Atoms[];
}

export class CandleSeries {
  readonly #kept: number;
  /** All but the last are full. Only the last candle ever changes, so that all but the last chunk may belong to several series. */
  readonly #chunks: Chunk[];

  /** @param kept the least number of candles that are kept; older ones are dropped now and then */
  constructor(kept: number, chunks: Chunk[] = []) {
    this.#kept = kept;
    this.#chunks = chunks;
  }

  get length(): number {
    const last = this.#chunks.at(-1);
    return last === undefined ? 0 : (this.#chunks.length - 1) * CHUNK_ROWS + last.quoteVolumes.length;
  }

  /** Takes as much memory as one chunk. */
  copy(): CandleSeries {
    const last = this.#chunks.at(-1);
    const own = last === undefined ? [] : [{ rows: last.rows.slice(), quoteVolumes: last.quoteVolumes.slice() }];
    return new CandleSeries(this.#kept, [...this.#chunks.slice(0, -1), ...own]);
  }

  at(index: number): Candle {
    const { rows, quoteVolumes } = this.#chunkOf(index);
    const row = rowOf(index);
    const quoteVolume = quoteVolumes[index % CHUNK_ROWS];
    if (quoteVolume === undefined) throw this.#beyond(index);
    return {
      openTime: millis(rows[row + OPEN_TIME] ?? 0),
      open: ticks(rows[row + OPEN] ?? 0),
      high: ticks(rows[row + HIGH] ?? 0),
      low: ticks(rows[row + LOW] ?? 0),
      close: ticks(rows[row + CLOSE] ?? 0),
      volume: lots(rows[row + VOLUME] ?? 0),
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
      const { rows, quoteVolumes } = this.#chunkOf(index);
      const row = rowOf(index);
      high = Math.max(high, rows[row + HIGH] ?? high);
      low = Math.min(low, rows[row + LOW] ?? low);
      volume += rows[row + VOLUME] ?? 0;
      quoteVolume = addAtoms(quoteVolume, quoteVolumes[index % CHUNK_ROWS] ?? NO_ATOMS);
    }
    const { close } = this.at(end - 1);
    return { ...first, high: ticks(high), low: ticks(low), close, volume: lots(volume), quoteVolume };
  }

  /** Adds a part: to the last candle when it opened then or later, else as a new one. */
  merge(part: Candle, openTime: Millis): void {
    const last = this.length - 1;
    if (last >= 0 && this.#openTimeAt(last) >= openTime) this.#join(last, part);
    else this.#push(part, openTime);
  }

  /** Index of the first candle that opened after `time`. */
  firstAfter(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#openTimeAt(middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #openTimeAt(index: number): number {
    return this.#chunkOf(index).rows[rowOf(index) + OPEN_TIME] ?? 0;
  }

  #chunkOf(index: number): Chunk {
    const chunk = this.#chunks[Math.floor(index / CHUNK_ROWS)];
    if (chunk === undefined) throw this.#beyond(index);
    return chunk;
  }

  /** The sentence is made only where it is needed: a ticker reads thousands of rows. */
  #beyond(index: number): RangeError {
    return new RangeError(`candle ${index} is none of ${this.length}`);
  }

  /** What `joinCandles` computes, in place: every trade does this to each of its candles. */
  #join(index: number, { high, low, close, volume, quoteVolume }: Candle): void {
    const { rows, quoteVolumes } = this.#chunkOf(index);
    const row = rowOf(index);
    rows[row + HIGH] = Math.max(rows[row + HIGH] ?? high, high);
    rows[row + LOW] = Math.min(rows[row + LOW] ?? low, low);
    rows[row + CLOSE] = close;
    rows[row + VOLUME] = lots((rows[row + VOLUME] ?? 0) + volume);
    const last = index % CHUNK_ROWS;
    quoteVolumes[last] = addAtoms(quoteVolumes[last] ?? NO_ATOMS, quoteVolume);
  }

  #push({ open, high, low, close, volume, quoteVolume }: Candle, openTime: Millis): void {
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || chunk.quoteVolumes.length === CHUNK_ROWS) {
      chunk = { rows: new Float64Array(CHUNK_ROWS * COLUMNS), quoteVolumes: [] };
      this.#chunks.push(chunk);
      if (this.length - CHUNK_ROWS >= this.#kept) this.#chunks.shift();
    }
    const { rows, quoteVolumes } = chunk;
    const row = rowOf(quoteVolumes.length);
    rows[row + OPEN_TIME] = openTime;
    rows[row + OPEN] = open;
    rows[row + HIGH] = high;
    rows[row + LOW] = low;
    rows[row + CLOSE] = close;
    rows[row + VOLUME] = volume;
    quoteVolumes.push(quoteVolume);
  }
}

/** In its chunk, where its columns begin. */
const rowOf = (index: number): number => (index % CHUNK_ROWS) * COLUMNS;

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
