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

interface Parts {
  readonly recorded: readonly Candle[];
  readonly replayed: readonly Candle[];
  readonly own: readonly Candle[];
  readonly rounds?: { readonly mark?: readonly Candle[]; readonly index?: readonly Candle[] };
}

function historyOf({ recorded, replayed, own, rounds = {} }: Parts): MarketHistory {
  return new MarketHistory({
    prices: { historyBars: () => recorded, bars: () => replayed } as unknown as ConstructorParameters<typeof MarketHistory>[0]['prices'],
    history: {
      minutes: () => Promise.resolve(own),
      contracts: { priceMinutes: ({ source }: { source: 'mark' | 'index' }) => Promise.resolve(rounds[source] ?? []) },
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

const shown = (minutes: Iterable<Candle>): readonly (readonly number[])[] =>
  Array.from(minutes, ({ openTime, close, volume }) => [openTime / MINUTE, close, volume]);

test('minutes of a contract without a round of prices have the outside price as mark and as index; ours have our own, and none has a volume', async () => {
  const history = historyOf({
    recorded: [candle(1, 0), candle(2, 0), candle(3, 0)],
    replayed: [candle(5, 0)],
    own: [],
    rounds: { mark: [{ ...candle(3, 0), close: ticks(99) }], index: [candle(2, 0), { ...candle(4, 7), close: ticks(98) }] },
  });
  const { common, trades, mark, index } = await history.contractMinutes({ market: marketId(101) });
  expect(shown(common)).toEqual([[1, 100, 0]]);
  expect(shown(trades)).toEqual([
    [2, 100, 0],
    [3, 100, 0],
    [5, 100, 0],
  ]);
  expect(shown(mark)).toEqual([
    [2, 100, 0],
    [3, 99, 0],
    [5, 100, 0],
  ]);
  expect(shown(index)).toEqual([
    [2, 100, 0],
    [3, 100, 0],
    [4, 98, 0],
    [5, 100, 0],
  ]);
});

test('what a contract has in common ends before the first trade of ours, and its trades have no outside price from then on', async () => {
  const history = historyOf({
    recorded: [candle(1, 0), candle(2, 0), candle(3, 0)],
    replayed: [candle(4, 0)],
    own: [candle(2, 5)],
    rounds: {},
  });
  const { common, trades, mark } = await history.contractMinutes({ market: marketId(101) });
  expect([shown(common), shown(trades), shown(mark)]).toEqual([
    [[1, 100, 0]],
    [[2, 100, 5]],
    [
      [2, 100, 0],
      [3, 100, 0],
      [4, 100, 0],
    ],
  ]);
});

test('a contract of which there is nothing of ours has the outside price alone', async () => {
  const history = historyOf({ recorded: [candle(1, 0)], replayed: [candle(2, 0)], own: [], rounds: {} });
  const { common, ...rest } = await history.contractMinutes({ market: marketId(101) });
  expect(shown(common)).toEqual([
    [1, 100, 0],
    [2, 100, 0],
  ]);
  expect(Object.values(rest).map(shown)).toEqual([[], [], []]);
});
