/** Reads the recorded month of an asset from `data/`. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Market } from '@orrery/protocol';
import { assert, parseLots, parseTicks } from '@orrery/units';
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

function readMinute(line: string, { pricePrecision, sizePrecision }: Precisions): Minute {
  const [, ...columns] = line.split(',');
  const [open, high, low, close] = columns.map((price) => parseTicks(plain(price), pricePrecision));
  const volume = parseLots(wholeLots(columns[4] ?? '', sizePrecision), sizePrecision);
  assert(
    open !== undefined && high !== undefined && low !== undefined && close !== undefined && volume !== undefined,
    `the market's precision does not fit the recorded minute ${line}`,
  );
  return { open, high, low, close, volume };
}

/** A volume finer than a lot is cut to whole lots: it is shown, and never traded. */
function wholeLots(volume: string, sizePrecision: number): string {
  const [whole = '', decimals = ''] = volume.split('.');
  return plain(`${whole}.${decimals.slice(0, sizePrecision)}`);
}

/** `107712.0` says no more than `107712`, and a coarser tick can hold it. */
const plain = (decimal: string): string => decimal.replace(/\.0*$/, '');
