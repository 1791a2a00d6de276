import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { minutesOf, readRecordedMonth } from './recorded.ts';

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

  const fileOf = (prices: string): Buffer => Buffer.from(`open_time,open,high,low,close,volume\n1,${prices},5.5\n2,${prices},6.25\n`);

  test.each([
    ['100,100.5,99.25,100.00', 2, [10_000, 10_050, 9_925, 10_000]],
    ['100.0,100.50,99.250,1', 2, [10_000, 10_050, 9_925, 100]],
    ['7.000,8.0,6,7', 0, [7, 8, 6, 7]],
  ] as const)('with the prices %s has them in ticks of %i decimals', (prices, precision, [open, high, low, close]) => {
    const minute = { open, high, low, close };
    expect([...minutesOf(fileOf(prices), precision)]).toEqual([minute, minute]);
  });

  test.each(['1.001,2,1,1', '1,,1,1', '1,2x,1,1', '1.0.0,2,1,1', '1,2'])('with the prices %s is refused', (prices) => {
    expect(() => minutesOf(fileOf(prices), 2)).toThrow(/precision|four prices/);
  });

  test('is refused where a market has too few decimals for it', () => {
    expect(() => readRecordedMonth('BTC', { pricePrecision: 0, sizePrecision: 0 })).toThrow('precision');
  });
});
