import { marketId, millis, lots, atoms, ticks } from '@orrery/units';
import type { Candle } from '@orrery/views';
import { expect, test } from 'vitest';
import { MARKETS } from './listing.ts';
import { MarketHistory } from './market-history.ts';

const MINUTE = 60_000;

const candle = (minute: number, volume: number): Candle => ({
  openTime: millis(minute * MINUTE),
  open: ticks(100),
  high: ticks(101),
  low: ticks(99),
  close: ticks(100),
  volume: lots(volume),
  quoteVolume: atoms(BigInt(volume) * 100n),
});

function historyOf(parts: { recorded: readonly Candle[]; replayed: readonly Candle[]; own: readonly Candle[] }): MarketHistory {
  const { recorded, replayed, own } = parts;
  return new MarketHistory({
    prices: { historyBars: () => recorded, bars: () => replayed } as unknown as ConstructorParameters<typeof MarketHistory>[0]['prices'],
    history: {
      minutes: () => Promise.resolve(own),
      contracts: { priceMinutes: () => Promise.resolve(own) },
    } as unknown as ConstructorParameters<typeof MarketHistory>[0]['history'],
    now: () => millis(10 * MINUTE),
  });
}

test('[S4] minutes before the first trade here have the outside price and no volume; from then on there are those of our trades alone', async () => {
  const market = MARKETS.find((known) => known.market === marketId(1))!;
  const history = historyOf({
    recorded: [candle(1, 0), candle(2, 0)],
    replayed: [candle(3, 0), candle(4, 0)],
    own: [candle(3, 2), candle(5, 3)],
  });
  const minutes = Array.from(await history.minutes(market));
  expect(minutes.map(({ openTime, volume, quoteVolume }) => [openTime / MINUTE, volume, quoteVolume])).toEqual([
    [1, 0, 0n],
    [2, 0, 0n],
    [3, 2, 200n],
    [5, 3, 300n],
  ]);
  const untraded = historyOf({ recorded: [candle(1, 0)], replayed: [candle(2, 0)], own: [] });
  expect(Array.from(await untraded.minutes(market))).toHaveLength(2);
  expect(minutes[0]).toMatchObject({ open: 100, high: 101, low: 99, close: 100 });
});

test('minutes without a round of prices have the outside price as mark and as index; ours have our own, and none has a volume', async () => {
  const history = historyOf({
    recorded: [candle(1, 0), candle(2, 0)],
    replayed: [candle(4, 0)],
    own: [{ ...candle(2, 0), close: ticks(99) }],
  });
  for (const source of ['mark', 'index'] as const) {
    const minutes = Array.from(await history.priceMinutes({ market: marketId(101) }, source));
    expect(minutes.map(({ openTime, close, volume }) => [openTime / MINUTE, close, volume])).toEqual([
      [1, 100, 0],
      [2, 99, 0],
      [4, 100, 0],
    ]);
  }
});
