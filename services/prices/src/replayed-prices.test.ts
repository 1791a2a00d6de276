import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { marketId, millis, ticks } from '@orrery/units';
import { Loop, MINUTE_MS } from './loop.ts';
import { Minutes, type Minute, type Month } from './month.ts';
import { minutePath, SECONDS } from './path.ts';
import { seededRandom } from './random.ts';
import { readRecordedMonth } from './recorded.ts';
import { openReplayedPrices, ReplayedPrices } from './replayed-prices.ts';
import { makeSyntheticMonth, MONTH_MINUTES, SYNTHETIC_SEED } from './synthetic.ts';
import { allMarkets, btc, soso } from './testing/outside-markets.ts';

const anchor = millis(Date.UTC(2026, 0, 5, 12, 0));
const at = (minutes: number, seconds = 0) => millis(anchor + minutes * MINUTE_MS + seconds * 1_000);
const source = openReplayedPrices({ markets: allMarkets, anchor, log: () => undefined });

const months = allMarkets.map((market) => {
  const [asset = ''] = market.symbol.split('_');
  return { market, month: market === soso ? makeSyntheticMonth(asset, market) : readRecordedMonth(asset, market) };
});

test.each(months)('the month of $market.symbol is whole: every minute opens where the one before closed, inside its range', ({ month }) => {
  expect(month.minutes).toHaveLength(MONTH_MINUTES);
  const minutes = Array.from(month.minutes);
  const isWhole = ({ open, high, low, close }: Minute, index: number): boolean =>
    open === (minutes[index - 1]?.close ?? open) && low <= Math.min(open, close) && high >= Math.max(open, close) && low > 0;
  expect(minutes.filter((minute, index) => !isWhole(minute, index))).toEqual([]);
});

test('the recording is read to the tick', () => {
  expect(months[0]?.month.minutes.at(0)).toEqual({
    open: 1_038_754,
    high: 1_039_810,
    low: 1_038_170,
    close: 1_039_023,
  });
  expect(months[3]?.month.minutes.at(-1)).toEqual({ open: 64_870, high: 64_870, low: 64_870, close: 64_870 });
});

test('the past ends at the anchor: a month of minute bars, the last one closing where the live price begins', () => {
  for (const { market, month } of months) {
    const bars = Array.from(source.historyBars(market.market));
    expect(bars).toHaveLength(MONTH_MINUTES);
    expect(bars[0]?.openTime).toBe(at(-MONTH_MINUTES));
    expect(bars.at(-1)?.openTime).toBe(at(-1));
    expect(bars.at(-1)?.close).toBe(month.minutes.at(-1)?.close);
    expect(source.price(market.market, anchor)?.price).toBe(bars.at(-1)?.close);
    expect(source.price(market.market, at(-MONTH_MINUTES - 1))).toBeUndefined();
  }
  const [bar] = source.historyBars(btc.market);
  expect([bar?.volume, bar?.quoteVolume]).toEqual([0, 0n]);
});

test('prices never jump, from the recording into its repetition and from each repetition into the next, and never drift away', () => {
  for (const { market, month } of months) {
    const loop = new Loop(month, anchor);
    for (const round of [0, 1, 2, 100]) {
      for (let place = -3; place <= 3; place += 1) {
        const before = loop.minuteAt(at(round * MONTH_MINUTES + place - 1));
        const after = loop.minuteAt(at(round * MONTH_MINUTES + place));
        expect(after?.open).toBe(before?.close);
      }
    }
    const minutes = Array.from({ length: MONTH_MINUTES }, (_, index) => loop.minuteAt(at(index)));
    const jumps = minutes.filter((minute, index) => index > 0 && minute?.open !== minutes[index - 1]?.close);
    expect([minutes.includes(undefined), jumps]).toEqual([false, []]);
    const { index: _first, ...first } = loop.minuteAt(at(17)) ?? expect.unreachable();
    const { index: _later, ...later } = loop.minuteAt(at(17 + 1_000 * MONTH_MINUTES)) ?? expect.unreachable();
    expect(later).toEqual(first);
    expect(market.symbol).toMatch(/_USDC$/);
  }
});

test('bars are what the prices of their minute were, over the end of the month too', () => {
  for (const { market } of months) {
    for (const start of [-2, 0, 1_234, MONTH_MINUTES - 2, 3 * MONTH_MINUTES - 1]) {
      const [bar] = source.bars(market.market, { from: at(start), to: at(start + 1) });
      const prices = Array.from({ length: SECONDS }, (_, second) => source.price(market.market, at(start, second))?.price ?? 0);
      expect({ open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1) }).toEqual({
        open: bar?.open,
        high: bar?.high,
        low: bar?.low,
        close: bar?.close,
      });
    }
  }
});

test('a path goes from the open over both extremes to the close and never leaves the range', () => {
  const price = fc.integer({ min: 1, max: 2_000_000 });
  fc.assert(
    fc.property(fc.tuple(price, price, price, price), fc.string(), (prices, seed) => {
      const [low, open, close, high] = prices.toSorted((left, right) => left - right).map(ticks);
      if (low === undefined || open === undefined || close === undefined || high === undefined) return;
      for (const minute of [
        { open, high, low, close },
        { open: close, high, low, close: open },
      ]) {
        const path = minutePath(minute, seededRandom(seed));
        expect(path).toHaveLength(SECONDS);
        expect([path[0], Math.max(...path), Math.min(...path), path.at(-1)]).toEqual([minute.open, high, low, minute.close]);
      }
    }),
    { numRuns: 500 },
  );
});

test('the same anchor gives the same prices, in whatever order they are asked for', () => {
  const other = new ReplayedPrices(months, anchor);
  const times = [at(7, 30), at(-400, 12), at(7, 31), at(90_000, 59), at(7, 30)];
  for (const { market } of months) {
    const forward = times.map((time) => source.price(market.market, time));
    const backward = times.toReversed().map((time) => other.price(market.market, time));
    expect(backward.toReversed()).toEqual(forward);
  }
});

test('prices of SOSO are labelled as synthetic and made from a seed that is printed', () => {
  const lines: string[] = [];
  const opened = openReplayedPrices({ markets: [btc, soso], anchor, log: (line) => lines.push(line) });
  expect(lines).toEqual([`the outside prices of WSOSO_USDC are synthetic, made from the seed ${SYNTHETIC_SEED}`]);
  expect([opened.labelOf(btc.market), opened.labelOf(soso.market), opened.labelOf(marketId(9))]).toEqual([
    'recorded',
    'synthetic',
    undefined,
  ]);
  expect(opened.price(soso.market, anchor)?.label).toBe('synthetic');
  expect(makeSyntheticMonth('WSOSO', soso, 'a').minutes.at(5)).toEqual(makeSyntheticMonth('WSOSO', soso, 'a').minutes.at(5));
  expect(makeSyntheticMonth('WSOSO', soso, 'a').minutes.at(5)).not.toEqual(makeSyntheticMonth('WSOSO', soso, 'b').minutes.at(5));
  const { minutes } = makeSyntheticMonth('WSOSO', soso);
  expect([minutes.at(0), minutes.at(-1)]).toEqual([FIRST_SYNTHETIC_MINUTE, LAST_SYNTHETIC_MINUTE]);
});

/** The same on every machine, and in every version: sums, products and one rounding. */
const FIRST_SYNTHETIC_MINUTE: Minute = { open: ticks(5_300), high: ticks(5_303), low: ticks(5_300), close: ticks(5_302) };
const LAST_SYNTHETIC_MINUTE: Minute = { open: ticks(4_989), high: ticks(4_992), low: ticks(4_988), close: ticks(4_992) };

test('a market of which nothing is known is refused', () => {
  expect(() => openReplayedPrices({ markets: [{ ...btc, symbol: 'XRP_USDC' }], anchor, log: () => undefined })).toThrow(
    'there are no prices of XRP',
  );
});

test('a month of one quiet minute repeats too', () => {
  const quiet: Month = {
    label: 'recorded',
    minutes: new Minutes([{ open: ticks(5), high: ticks(5), low: ticks(5), close: ticks(5) }]),
  };
  const only = new ReplayedPrices([{ market: btc, month: quiet }], anchor);
  expect(only.price(btc.market, at(77, 3))?.price).toBe(5);
});
