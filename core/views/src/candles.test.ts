import * as fc from 'fast-check';
import type { Trade } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, millis, NO_ATOMS, NO_LOTS, orderId, seq, ticks, tradeId } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { CandlesBefore, CandlesView } from './candles.ts';
import { INTERVALS, openTimeOf } from './interval.ts';
import { dayTicker } from './ticker.ts';

const market = marketId(1);
const start = Date.UTC(2026, 2, 5, 10, 0, 0);
const minute = (count: number) => start + count * 60_000;

function trade(price: number, size: number): Trade {
  return {
    type: 'Trade',
    tradeId: tradeId(1),
    market,
    price: ticks(price),
    size: lots(size),
    notional: atoms(BigInt(price * size)),
    takerSide: 'buy',
    takerOrderId: orderId(2),
    takerAccount: accountId(2),
    takerFee: NO_ATOMS,
    makerOrderId: orderId(1),
    makerAccount: accountId(1),
    makerFee: NO_ATOMS,
    makerRemaining: NO_LOTS,
  };
}

function play(view: CandlesView, trades: readonly (readonly [at: number, price: number, size: number])[]): void {
  for (const [at, price, size] of trades) view.apply(trade(price, size), { seq: seq(1), at: millis(at) });
}

describe('where our own trades begin', () => {
  const outside = (count: number) => {
    const price = ticks(100);
    const prices = { open: price, high: price, low: price, close: price };
    return { openTime: millis(minute(count)), ...prices, volume: NO_LOTS, quoteVolume: NO_ATOMS };
  };

  test('is the minute of the first trade, in history or live; a price without a trade is none', () => {
    const view = new CandlesView();
    view.preload(market, [outside(0), outside(1)]);
    view.mark(market, ticks(101), millis(minute(2)));
    expect(view.tradedSince(market)).toBeUndefined();
    play(view, [
      [minute(3) + 5, 100, 2],
      [minute(4), 100, 2],
    ]);
    expect(view.tradedSince(market)).toBe(minute(3));
    const loaded = new CandlesView();
    loaded.preload(market, [outside(0), { ...outside(1), volume: lots(1) }, outside(2)]);
    expect(loaded.tradedSince(market)).toBe(minute(1));
  });
});

describe('candles without gaps', () => {
  test('an interval without a trade repeats the last close, up to the present one, and nothing is before the first trade', () => {
    const view = new CandlesView();
    play(view, [
      [minute(0), 100, 2],
      [minute(0) + 10, 130, 1],
      [minute(3), 90, 1],
    ]);
    const flat = (count: number, close: number) => ({
      openTime: minute(count),
      open: close,
      high: close,
      low: close,
      close,
      volume: 0,
      quoteVolume: 0n,
    });
    const asked = { market, interval: '1m', limit: 10, now: millis(minute(5) + 7) } as const;
    expect(view.continuous(asked)).toEqual([
      { openTime: minute(0), open: 100, high: 130, low: 100, close: 130, volume: 3, quoteVolume: 330n },
      flat(1, 130),
      flat(2, 130),
      { openTime: minute(3), open: 90, high: 90, low: 90, close: 90, volume: 1, quoteVolume: 90n },
      flat(4, 90),
      flat(5, 90),
    ]);
    // A range may begin and end inside a gap.
    expect(view.continuous({ ...asked, from: millis(minute(1)), to: millis(minute(2)) })).toEqual([flat(1, 130), flat(2, 130)]);
    expect(view.continuous({ ...asked, limit: 2 })).toEqual([flat(4, 90), flat(5, 90)]);
    expect(view.continuous({ ...asked, to: millis(start - 1) })).toEqual([]);
    expect(view.continuous({ ...asked, market: marketId(2) })).toEqual([]);
  });

  test('they are those that a naive walk over every minute finds, for every interval and range', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 5_000 }), fc.integer({ min: 50, max: 150 })), { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...INTERVALS),
        fc.integer({ min: 1, max: 60 }),
        fc.tuple(fc.integer({ min: -100, max: 5_200 }), fc.integer({ min: -100, max: 5_200 })),
        (drawn, interval, limit, [left, right]) => {
          const trades = drawn.toSorted(([one], [other]) => one - other);
          const view = new CandlesView();
          play(
            view,
            trades.map(([count, price]) => [minute(count), price, 1]),
          );
          const now = millis(minute(5_000));
          const [from, to] = [millis(minute(Math.min(left, right))), millis(minute(Math.max(left, right)))];
          const candles = new Map<number, { open: number; high: number; low: number; close: number; volume: number }>();
          let close: number | undefined;
          for (let count = 0; count <= 5_000; count += 1) {
            const at = openTimeOf(interval, millis(minute(count)));
            if (close !== undefined && !candles.has(at)) candles.set(at, { open: close, high: close, low: close, close, volume: 0 });
            for (const [, price] of trades.filter(([when]) => when === count)) {
              const before = candles.get(at);
              const isFirst = before === undefined || before.volume === 0;
              candles.set(at, {
                open: isFirst ? price : before.open,
                high: isFirst ? price : Math.max(before.high, price),
                low: isFirst ? price : Math.min(before.low, price),
                close: price,
                volume: (before?.volume ?? 0) + 1,
              });
              close = price;
            }
          }
          const expected = [...candles].filter(([openTime]) => openTime >= from && openTime <= to).slice(-limit);
          const found = view.continuous({ market, interval, limit, from, to, now });
          expect(
            found.map(({ openTime, open, high, low, close: last, volume }) => [openTime, { open, high, low, close: last, volume }]),
          ).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('candles', () => {
  test('hold open, high, low, close and both volumes of their trades', () => {
    const view = new CandlesView();
    play(view, [
      [minute(0), 100, 2],
      [minute(0) + 10, 130, 1],
      [minute(0) + 20, 90, 1],
      [minute(0) + 59_999, 110, 3],
      [minute(1), 111, 1],
    ]);
    expect(view.candles({ market, interval: '1m', limit: 10 })).toEqual([
      { openTime: minute(0), open: 100, high: 130, low: 90, close: 110, volume: 7, quoteVolume: 750n },
      { openTime: minute(1), open: 111, high: 111, low: 111, close: 111, volume: 1, quoteVolume: 111n },
    ]);
    expect(view.candles({ market, interval: '1h', limit: 10 })).toEqual([
      { openTime: minute(0), open: 100, high: 130, low: 90, close: 111, volume: 8, quoteVolume: 861n },
    ]);
  });

  test('of every interval are the same whether built from trades or from minute candles', () => {
    const gaps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 90 * 60_000 }), fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9 })),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(gaps, (steps) => {
        let at = start;
        const trades = steps.map(([gap, price, size]) => [(at += gap), price, size] as const);
        const fromTrades = new CandlesView();
        play(fromTrades, trades);
        const fromMinutes = new CandlesView();
        const minutes = fromTrades.candles({ market, interval: '1m', limit: 1_000 });
        // In two parts: the second one joins the candles of the first.
        const half = Math.floor(minutes.length / 2);
        fromMinutes.preload(market, minutes.slice(0, half));
        fromMinutes.preload(market, minutes.slice(half));
        for (const interval of INTERVALS) {
          const candles = fromTrades.candles({ market, interval, limit: 1_000 });
          expect(fromMinutes.candles({ market, interval, limit: 1_000 })).toEqual(candles);
          const openings = [...new Set(trades.map(([time]) => openTimeOf(interval, millis(time))))];
          expect(candles.map(({ openTime }) => openTime)).toEqual(openings);
          expect(candles.reduce((sum, { volume }) => sum + volume, 0)).toBe(trades.reduce((sum, [, , size]) => sum + size, 0));
        }
      }),
    );
  });

  test('that several views have in common are in each as if each had loaded them, and what follows is of one alone', () => {
    const outside = fc.array(fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 500 })), { maxLength: 60 });
    fc.assert(
      fc.property(outside, fc.nat(60), (steps, cut) => {
        let at = 0;
        const minutes = steps.map(([gap, value]) => {
          const price = ticks(value);
          return {
            openTime: millis(minute((at += gap))),
            open: price,
            high: price,
            low: price,
            close: price,
            volume: NO_LOTS,
            quoteVolume: NO_ATOMS,
          };
        });
        const common = new CandlesBefore(minutes.slice(0, cut));
        const rests = [minutes.slice(cut), [], minutes.slice(cut + 1)];
        const views = rests.map((rest) => {
          const view = new CandlesView();
          view.preload(market, rest, common);
          return view;
        });
        rests.forEach((rest, index) => {
          const alone = new CandlesView();
          alone.preload(market, [...minutes.slice(0, cut), ...rest]);
          for (const interval of INTERVALS)
            expect(views[index]?.candles({ market, interval, limit: 1_000 })).toEqual(alone.candles({ market, interval, limit: 1_000 }));
        });
      }),
    );
  });

  test('are chosen by their opening, both ends included, the latest when there are too many', () => {
    const view = new CandlesView();
    play(
      view,
      [0, 1, 2, 3, 4].map((count) => [minute(count), 100 + count, 1] as const),
    );
    const closes = (query: { limit: number; from?: number; to?: number }) =>
      view
        .candles({
          market,
          interval: '1m',
          limit: query.limit,
          ...(query.from === undefined ? {} : { from: millis(query.from) }),
          ...(query.to === undefined ? {} : { to: millis(query.to) }),
        })
        .map(({ close }) => close);
    expect(closes({ limit: 2 })).toEqual([103, 104]);
    expect(closes({ limit: 9, from: minute(1), to: minute(3) })).toEqual([101, 102, 103]);
    expect(closes({ limit: 2, to: minute(2) })).toEqual([101, 102]);
    expect(closes({ limit: 9, from: minute(5) })).toEqual([]);
  });

  test('of history can not follow what came after it', () => {
    const view = new CandlesView();
    play(view, [[minute(5), 100, 1]]);
    const late = {
      openTime: millis(minute(4)),
      open: ticks(1),
      high: ticks(1),
      low: ticks(1),
      close: ticks(1),
      volume: lots(1),
      quoteVolume: atoms(1n),
    };
    expect(() => view.preload(market, [late])).toThrow('history');
  });
});

describe('[S4] the day ticker', () => {
  test('rolls over 24 hours by the minute and always keeps the last price', () => {
    const view = new CandlesView();
    play(view, [
      [minute(0), 100, 1],
      [minute(60), 150, 2],
      [minute(120), 90, 3],
    ]);
    expect(dayTicker(view, market, millis(minute(121)))).toEqual({ last: 90, open: 100, high: 150, low: 90, volume: 6, quoteVolume: 670n });
    expect(dayTicker(view, market, millis(minute(1440 + 30)))).toEqual({
      last: 90,
      open: 150,
      high: 150,
      low: 90,
      volume: 5,
      quoteVolume: 570n,
    });
    expect(dayTicker(view, market, millis(minute(1440 + 130)))).toEqual({
      last: 90,
      open: undefined,
      high: undefined,
      low: undefined,
      volume: 0,
      quoteVolume: 0n,
    });
  });
});
