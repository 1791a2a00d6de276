import { marketId, millis, ticks } from '@orrery/units';
import { CandlesView } from '@orrery/views';
import { expect, test } from 'vitest';
import { EndedCandles } from './ended-candles.ts';

const market = marketId(1);
const MINUTE = 60_000;
const START = 1_000 * MINUTE;

function traded(...minutes: readonly number[]): CandlesView {
  const view = new CandlesView();
  for (const minute of minutes) trade(view, minute);
  return view;
}

const trade = (view: CandlesView, minute: number): void => view.mark(market, ticks(100 + minute), millis(START + minute * MINUTE));
const of = (candles: CandlesView, without: 'flat' | 'none' = 'flat'): EndedCandles =>
  new EndedCandles({ candles, market, interval: '1m', without }, START + 10);
const shown = (candles: ReturnType<EndedCandles['until']>): readonly (readonly number[])[] =>
  candles.map(({ openTime, close }) => [(openTime - START) / MINUTE, close]);

test('a candle is over once, when the next interval has begun', () => {
  const ended = of(traded(0));
  expect(shown(ended.until(START + MINUTE - 1))).toEqual([]);
  expect(shown(ended.until(START + MINUTE))).toEqual([[0, 100]]);
  expect(shown(ended.until(START + MINUTE + 1))).toEqual([]);
});

test('a trade of the next interval does not hide it', () => {
  expect(shown(of(traded(0, 1)).until(START + MINUTE + 5))).toEqual([[0, 100]]);
});

test.each([
  ['flat', [0, 100], [1, 100], [2, 102]],
  ['none', [0, 100], [2, 102]],
] as const)('an interval without a trade is %s', (without, ...expected) => {
  expect(shown(of(traded(0, 2), without).until(START + 3 * MINUTE))).toEqual(expected);
});

test('after a pause the newest ten are sent', () => {
  expect(of(traded(0)).until(START + 100 * MINUTE)).toHaveLength(10);
});

test('a clock that went back ends nothing twice, and a market without a trade has no candle', () => {
  const ended = of(traded(0));
  expect(ended.until(START + MINUTE)).toHaveLength(1);
  expect(ended.until(START)).toEqual([]);
  expect(ended.until(START + MINUTE)).toEqual([]);
  expect(of(new CandlesView()).until(START + 5 * MINUTE)).toEqual([]);
});
