import { Life } from '@orrery/market-maker';
import { CallError, type Client } from '@orrery/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Making, MAKING } from './making.ts';
import { CarryExchange } from './testing/carry-exchange.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('quotes are taken out when the price is old, also while it cannot be read what the fund is worth', async () => {
  let open = 0;
  const exchange = new CarryExchange();
  let failure: Error | undefined;
  const client = {
    ...exchange.client,
    balances: async () => {
      if (failure !== undefined) throw failure;
      return [{ coin: 'USDC', balanceType: 'futures', balance: '10000', availableBalance: '10000' }];
    },
    cancelAllFuturesOrders: async () => void (open = 0),
    futuresIndexPrices: async () => [{ s: 'BTC_USDC', t: 1, p: '100000' }],
    futuresOrders: async () => ({ items: [] }),
    createFuturesOrders: async ({ orders }: { readonly orders: readonly object[] }) => orders.map(() => ({ data: String((open += 1)) })),
  } as unknown as Client;
  const life = new Life(() => undefined);
  const making = new Making({ client, life, log: () => undefined });
  await making.round();
  expect(open).toBe(2 * MAKING.levels);
  failure = new CallError({ code: 1, msg: 'later', status: 503 });
  vi.setSystemTime(Date.now() + MAKING.staleSeconds * 1_000 + 1);
  await expect(making.round()).rejects.toThrow('later');
  expect(open).toBe(0);
});
