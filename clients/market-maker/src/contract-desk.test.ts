import { REJECTS } from '@orrery/protocol';
import { CallError, type Client, type ContractTerms } from '@orrery/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ContractDesk, type ContractDeskOptions } from './contract-desk.ts';
import type { ContractLadderOptions } from './contract-ladder.ts';
import { Life } from './life.ts';
import { Pace } from './pace.ts';
import { LINEAR } from './testing/markets.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface DeskParts {
  readonly terms?: readonly ContractTerms[];
  readonly ladder?: ContractLadderOptions;
  readonly times?: Partial<Pick<ContractDeskOptions, 'staleMs' | 'reviewMs' | 'tolerancePpm'>>;
  readonly life?: Life;
}

const LADDER = { seed: 3, levels: 3, levelDollars: 100, positionDollars: 10_000 };

/** @param client what the desk calls of one */
const deskOf = (
  client: object,
  { terms = [LINEAR], ladder = LADDER, times = {}, life = new Life(() => undefined) }: DeskParts = {},
): ContractDesk =>
  new ContractDesk({
    client: client as Client,
    contracts: terms.map((rules) => ({ rules, ladder: () => ladder })),
    pace: new Pace({ perSecond: 1_000, now: Date.now, wait: () => Promise.resolve() }),
    life,
    staleMs: 15_000,
    log: () => undefined,
    ...times,
  });

test('the quotes of a round that failed in the middle are taken out too when the price goes stale', async () => {
  const open = new Set<string>();
  let calls = 0;
  const client = {
    cancelAllFuturesOrders: async () => open.clear(),
    adjustLeverage: async () => undefined,
    futuresSymbols: async () => [{ symbol: LINEAR.symbol, state: 'TRADING', isDegraded: false }],
    futuresIndexPrices: async () => [{ s: LINEAR.symbol, t: 1, p: '100000' }],
    futuresOrders: async () => ({ items: [] }),
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly { readonly price: string }[] }) => {
      calls += 1;
      if (calls > 1) throw new CallError({ status: 503, code: 1, msg: 'later' });
      return orders.map(({ price }) => {
        open.add(price);
        return { data: price };
      });
    },
  };
  const life = new Life(() => undefined);
  const desk = deskOf(client, {
    ladder: { seed: 3, levels: 20, levelDollars: 2_000, positionDollars: 500_000 },
    times: { staleMs: 3_000 },
    life,
  });
  const running = desk.run();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(open.size).toBe(20);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(open.size).toBe(0);
  life.end();
  await running;
});

test('quotes stay for a price that has hardly moved, and are looked at again after the time for it', async () => {
  let [price, reported, looked] = [100_000, 0, 0];
  const client = {
    cancelAllFuturesOrders: async () => undefined,
    adjustLeverage: async () => undefined,
    futuresSymbols: async () => [{ symbol: LINEAR.symbol, state: 'TRADING', isDegraded: false }],
    futuresIndexPrices: async () => [{ s: LINEAR.symbol, t: (reported += 1), p: String(price) }],
    futuresOrders: async () => ((looked += 1), { items: [] }),
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly unknown[] }) => orders.map(() => ({ data: '1' })),
  };
  const life = new Life(() => undefined);
  const desk = deskOf(client, {
    ladder: { seed: 3, levels: 3, levelDollars: 100, positionDollars: 1_000 },
    times: { staleMs: 15_000, reviewMs: 30_000, tolerancePpm: 200 },
    life,
  });
  await desk.begin();
  await desk.round();
  expect(looked).toBe(1);
  price = 100_020;
  await desk.round();
  expect(looked).toBe(1);
  price = 100_021;
  await desk.round();
  expect(looked).toBe(2);
  vi.setSystemTime(Date.now() + 30_000);
  await desk.round();
  expect(looked).toBe(3);
});

test('quotes are taken out when prices cannot be read any more, and a contract whose calls fail keeps no other from it', async () => {
  const open = new Set<string>();
  let [areRead, reported] = [true, 0];
  const other = { ...LINEAR, symbol: 'ETH_USDC' };
  const down = () => new CallError({ status: 503, code: 1, msg: 'later' });
  const client = {
    cancelAllFuturesOrders: async ({ symbol }: { readonly symbol?: string }) => {
      if (symbol === LINEAR.symbol) throw down();
      for (const order of open) if (symbol === undefined || order.startsWith(symbol)) open.delete(order);
    },
    adjustLeverage: async () => undefined,
    futuresSymbols: async () => [LINEAR, other].map(({ symbol }) => ({ symbol, state: 'TRADING', isDegraded: false })),
    futuresIndexPrices: async () => {
      if (!areRead) throw down();
      reported += 1;
      return [LINEAR, other].map(({ symbol }) => ({ s: symbol, t: reported, p: '100000' }));
    },
    futuresOrders: async () => ({ items: [] }),
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly { readonly symbol: string; readonly price: string }[] }) =>
      orders.map(({ symbol, price }) => {
        open.add(`${symbol} ${price}`);
        return { data: price };
      }),
  };
  const desk = deskOf(client, { terms: [LINEAR, other] });
  await desk.begin();
  await desk.round();
  expect(open.size).toBe(12);
  areRead = false;
  vi.setSystemTime(Date.now() + 16_000);
  await expect(desk.round()).rejects.toThrow('later');
  expect([...open].every((order) => order.startsWith(LINEAR.symbol))).toBe(true);
  expect(open.size).toBe(6);
});

test('a contract whose calls take long makes no price of another one stale', async () => {
  const canceled: (string | undefined)[] = [];
  let [reported, isSlow, planned] = [0, false, new Set<string>()];
  const other = { ...LINEAR, symbol: 'ETH_USDC' };
  const client = {
    cancelAllFuturesOrders: async ({ symbol }: { readonly symbol?: string }) => void canceled.push(symbol),
    futuresSymbols: async () => [LINEAR, other].map(({ symbol }) => ({ symbol, state: 'TRADING', isDegraded: false })),
    futuresIndexPrices: async () => {
      reported += 1;
      return [LINEAR, other].map(({ symbol }) => ({ s: symbol, t: reported, p: String(100_000 + reported) }));
    },
    futuresOrders: async ({ symbol }: { readonly symbol: string }) => {
      if (isSlow && symbol === LINEAR.symbol) vi.setSystemTime(Date.now() + 16_000);
      return { items: [] };
    },
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly { readonly symbol: string; readonly price: string }[] }) =>
      orders.map(({ symbol, price }) => {
        planned.add(symbol);
        return { code: 0, data: price };
      }),
  };
  const desk = deskOf(client, { terms: [LINEAR, other] });
  await desk.round();
  expect([...planned]).toEqual([LINEAR.symbol, other.symbol]);
  isSlow = true;
  planned = new Set();
  await desk.round();
  expect(canceled).toEqual([]);
  // One hearing for the first contract, whose price has become old while its orders were read, and one for the other.
  expect(reported).toBe(3);
  expect([...planned]).toEqual([other.symbol]);
});

test('quotes that cannot be replaced for long are taken out, and come back', async () => {
  const acts: string[] = [];
  let [reported, areRead] = [0, true];
  const client = {
    cancelAllFuturesOrders: async ({ symbol }: { readonly symbol?: string }) => void acts.push(`cancel ${symbol}`),
    futuresSymbols: async () => [{ symbol: LINEAR.symbol, state: 'TRADING', isDegraded: false }],
    futuresIndexPrices: async () => [{ s: LINEAR.symbol, t: (reported += 1), p: String(100_000 + reported) }],
    futuresOrders: async () => {
      if (!areRead) throw new CallError({ status: 503, code: 1, msg: 'later' });
      return { items: [] };
    },
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly unknown[] }) => {
      acts.push('create');
      return orders.map(() => ({ code: 0, data: '1' }));
    },
  };
  const desk = deskOf(client);
  const pass = async (ms: number): Promise<void> => {
    vi.setSystemTime(Date.now() + ms);
    await desk.round().catch(() => undefined);
  };
  await pass(0);
  expect(acts).toEqual(['create']);
  areRead = false;
  await pass(100_000);
  await pass(14_000);
  expect(acts).toEqual(['create']);
  await pass(2_000);
  expect(acts).toEqual(['create', `cancel ${LINEAR.symbol}`]);
  areRead = true;
  await pass(1_000);
  expect(acts).toEqual(['create', `cancel ${LINEAR.symbol}`, 'create']);
});

test('nothing is quoted before the contract takes quotes, and nothing more after one was refused for its prices', async () => {
  let [isDegraded, sent, reported] = [true, 0, 0];
  const client = {
    futuresSymbols: async () => [{ symbol: LINEAR.symbol, state: 'TRADING', isDegraded }],
    futuresIndexPrices: async () => [{ s: LINEAR.symbol, t: (reported += 1), p: String(100_000 + reported) }],
    futuresOrders: async () => ({ items: [] }),
    positions: async () => [],
    createFuturesOrders: async ({ orders }: { readonly orders: readonly unknown[] }) =>
      orders.map(
        () => ((sent += 1), isDegraded ? { code: REJECTS.PricesDegraded.code, msg: 'later', data: null } : { code: 0, data: '1' }),
      ),
  };
  const desk = deskOf(client, { ladder: { seed: 3, levels: 30, levelDollars: 2_000, positionDollars: 900_000 } });
  await desk.round();
  await desk.round();
  expect(sent).toBe(0);
  isDegraded = false;
  await desk.round();
  expect(sent).toBe(60);
  isDegraded = true;
  await desk.round();
  await desk.round();
  expect(sent).toBe(80);
  isDegraded = false;
  await desk.round();
  expect(sent).toBe(140);
});
