/** Reads the recorded month of an asset from `data/`. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Market } from '@orrery/protocol';
import { assert, ticks, type Ticks } from '@orrery/units';
import { Minutes, type Minute, type Month } from './month.ts';

const RECORDED = new Set(['BTC', 'ETH', 'SOL', 'BNB', 'DOGE']);

export const isRecorded = (asset: string): boolean => RECORDED.has(asset);

export type Precisions = Pick<Market, 'pricePrecision' | 'sizePrecision'>;

export function readRecordedMonth(asset: string, { pricePrecision }: Precisions): Month {
  assert(isRecorded(asset), `there is no recording of ${asset}`);
  const file = gunzipSync(readFileSync(new URL(`../data/${asset}-1m.csv.gz`, import.meta.url)));
  return { label: 'recorded', minutes: minutesOf(file, pricePrecision) };
}

/** @param precision decimals of the market's prices @throws AssertionError where a price has more of them */
export const minutesOf = (file: Uint8Array, precision: number): Minutes => new Minutes(readMinutes(new Lines(file), precision));

/** After the line that names the columns: the time, then four prices, then volumes. */
function* readMinutes(lines: Lines, precision: number): Generator<Minute, void> {
  for (lines.skipLine(); !lines.isAtEnd; lines.skipLine()) {
    lines.skipField();
    yield { open: lines.price(precision), high: lines.price(precision), low: lines.price(precision), close: lines.price(precision) };
  }
}

const [LINE_END, COMMA, POINT, ZERO, NINE] = [0x0a, 0x2c, 0x2e, 0x30, 0x39];

/** Lines of fields between commas, read from the bytes digit by digit: a start reads most of a million prices, and each is exact. */
class Lines {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  skipLine(): void {
    this.#skipPast(LINE_END);
  }

  skipField(): void {
    this.#skipPast(COMMA);
  }

  /** @returns the next field, a decimal number, in units of its `precision`-th decimal */
  price(precision: number): Ticks {
    const bytes = this.#bytes;
    const start = this.#at;
    let whole = 0;
    let decimals: number | undefined;
    for (let byte = bytes[this.#at]; byte !== undefined && byte !== COMMA && byte !== LINE_END; byte = bytes[this.#at]) {
      this.#at += 1;
      if (byte === POINT && decimals === undefined) decimals = 0;
      else {
        const fits = byte >= ZERO && byte <= NINE && (decimals === undefined || decimals < precision || byte === ZERO);
        assert(fits, "the market's precision does not fit a recorded price");
        if (decimals === undefined || decimals < precision) whole = whole * 10 + (byte - ZERO);
        if (decimals !== undefined) decimals += 1;
      }
    }
    assert(this.#at > start, 'every minute has its four prices');
    if (bytes[this.#at] === COMMA) this.#at += 1;
    return ticks(whole * 10 ** Math.max(0, precision - (decimals ?? 0)));
  }

  #skipPast(byte: number): void {
    const found = this.#bytes.indexOf(byte, this.#at);
    this.#at = found === -1 ? this.#bytes.length : found + 1;
  }
}
