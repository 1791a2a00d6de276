/** Reads the recorded month of an asset from `data/`. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Market } from '@orrery/protocol';
import { assert, ticks, type Ticks } from '@orrery/units';
import { Minutes, type Minute, type Month } from './month.ts';

const RECORDED = new Set(['BTC', 'ETH', 'SOL', 'BNB', 'DOGE']);

export const isRecorded = (asset: string): boolean => RECORDED.has(asset);

export type Precisions = Pick<Market, 'pricePrecision' | 'sizePrecision'>;

export function readRecordedMonth(asset: string, precisions: Precisions): Month {
  assert(isRecorded(asset), `there is no recording of ${asset}`);
  const text = gunzipSync(readFileSync(new URL(`../data/${asset}-1m.csv.gz`, import.meta.url))).toString('latin1');
  // The first line names the columns, the last is empty.
  const lines = text.split('\n').slice(1, -1);
  return { label: 'recorded', minutes: new Minutes(readMinutes(lines, precisions)) };
}

function* readMinutes(lines: readonly string[], precisions: Precisions): Generator<Minute, void> {
  for (const line of lines) yield readMinute(line, precisions);
}

function readMinute(line: string, { pricePrecision }: Precisions): Minute {
  const [, open = '', high = '', low = '', close = ''] = line.split(',');
  const tick = 10 ** pricePrecision;
  return { open: inTicks(open, tick), high: inTicks(high, tick), low: inTicks(low, tick), close: inTicks(close, tick) };
}

/** How far from a whole number the product of a price and a power of ten may be by rounding: far less than a tick. */
const ROUNDING = 1e-4;

/** A start reads most of a million of them: as floats, of which the nearest whole tick is exact, because a price has ten digits at most. */
function inTicks(price: string, tick: number): Ticks {
  const exact = Number(price) * tick;
  const whole = Math.round(exact);
  assert(price !== '' && Math.abs(exact - whole) < ROUNDING, `the market's precision does not fit the recorded price ${price}`);
  return ticks(whole);
}
