import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readRecordedMonth } from './recorded.ts';

/** The decimals of each asset's recording, and those of a finer market. */
const RECORDINGS = [
  ['BTC', 1],
  ['BTC', 4],
  ['ETH', 2],
  ['SOL', 3],
  ['BNB', 3],
  ['DOGE', 5],
  ['DOGE', 7],
] as const;

/** By the decimal point moved in the text of the price. */
function moved(price: string, precision: number): number {
  const [whole = '', decimals = ''] = price.split('.');
  return Number(`${whole}${decimals.slice(0, precision).padEnd(precision, '0')}`);
}

describe('a recorded month', () => {
  test.each(RECORDINGS)('of %s has every price of its file in ticks of %i decimals', (asset, precision) => {
    const file = gunzipSync(readFileSync(new URL(`../data/${asset}-1m.csv.gz`, import.meta.url))).toString('latin1');
    const lines = file.split('\n').slice(1, -1);
    const { minutes } = readRecordedMonth(asset, { pricePrecision: precision, sizePrecision: 0 });
    expect(minutes.length).toBe(lines.length);
    const read = Array.from(minutes, ({ open, high, low, close }) => [open, high, low, close].join());
    const expected = lines.map((line) =>
      line
        .split(',')
        .slice(1, 5)
        .map((price) => moved(price, precision))
        .join(),
    );
    expect(read.filter((row, index) => row !== expected[index])).toEqual([]);
  });

  test('is refused where a market has too few decimals for it', () => {
    expect(() => readRecordedMonth('BTC', { pricePrecision: 0, sizePrecision: 0 })).toThrow('precision');
  });
});
