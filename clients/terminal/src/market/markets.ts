/** The listed markets, read once and kept: what the exchange lists, in the words of the trading page. */
import type { Loaded } from '../kit/ui/loaded.ts';
import { ask } from '../platform/data/calls.ts';
import { useReading } from '../platform/data/use-data.ts';
import { tradedMarket } from './market.ts';
import type { TradedMarket } from './market.ts';

async function loadMarkets(): Promise<readonly TradedMarket[]> {
  const [symbols, coins] = await Promise.all([ask('symbols', { ignoreToken: true }), ask('coins', { ignoreToken: true })]);
  return symbols.toSorted((left, right) => left.sequence - right.sequence).map((info) => tradedMarket(info, coins));
}

const reading = { key: ['markets'], load: loadMarkets, of: 'everybody', staleMs: 30_000 } as const;

/** A market can be halted at any time: the list is read again now and then. */
export const useMarkets = (): Loaded<readonly TradedMarket[]> => useReading({ ...reading, pollMs: 60_000 });

/** For what does not change of a market, such as its name. */
export const useMarketTerms = (): Loaded<readonly TradedMarket[]> => useReading(reading);
