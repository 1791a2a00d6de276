import { CallError, type Client } from '@orrery/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Life } from './life.ts';
import type { OwnAccount } from './own-account.ts';
import { PriceWatch } from './price-watch.ts';
import { QuotingDesk } from './quoting-desk.ts';
import type { Quoter } from './quoter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NOBODY = 'http://127.0.0.1:9';
const SYMBOLS = ['BTC_USDC', 'ETH_USDC'];

test('a market whose price cannot be asked for keeps no other one from having its quotes taken out', async () => {
  const withdrawn = new Set<string>();
  const late = async (): Promise<never> => {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    throw new CallError({ status: 503, code: 1, msg: 'later' });
  };
  const life = new Life(() => undefined);
  const desk = new QuotingDesk({
    baseUrl: NOBODY,
    client: {
      cancelAllOrders: async () => [],
      symbols: async () => SYMBOLS.map((symbol) => ({ symbol, state: 'TRADING' })),
      indexPrice: late,
      streamTicket: late,
    } as unknown as Client,
    account: { isKnown: true, hasOrders: () => true } as unknown as OwnAccount,
    prices: new PriceWatch({ staleMs: 15_000, now: Date.now }),
    quoters: SYMBOLS.map(
      (symbol) => ({ rules: { symbol }, withdraw: async () => void withdrawn.add(symbol), quote: late }) as unknown as Quoter,
    ),
    life,
    attention: { movePpm: 0 },
    log: () => undefined,
  });
  const running = desk.run();
  await vi.advanceTimersByTimeAsync(45_000);
  expect([...withdrawn]).toEqual(SYMBOLS);
  life.end();
  await vi.advanceTimersByTimeAsync(20_000);
  await running;
});
