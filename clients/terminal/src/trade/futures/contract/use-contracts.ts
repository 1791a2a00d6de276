/** The contracts that are listed, read once and kept, and the figures of the one in view. */
import type { AggregateTicker, FundingRate } from '@orrery/api';
import { assert } from '@orrery/units';
import { ask } from '../../../data/calls.ts';
import type { Loaded } from '../../../data/loaded.ts';
import { useData, useReading } from '../../../data/use-data.ts';
import { useMarket } from '../../shared/market-context.tsx';
import { contractMarket, wireOf } from './contract-market.ts';
import type { ContractMarket } from './contract-market.ts';

async function loadContracts(): Promise<readonly ContractMarket[]> {
  const everybody = { ignoreToken: true } as const;
  const [symbols, brackets, coins] = await Promise.all([
    ask('futuresSymbols', everybody),
    ask('leverageBrackets', everybody),
    ask('futuresCoins', everybody),
  ]);
  return symbols
    .toSorted((left, right) => left.sequence - right.sequence)
    .map((info) => contractMarket({ info, brackets: brackets.find(({ symbol }) => symbol === info.symbol), coins }));
}

/** A contract can be halted, or lose its outside prices, at any time. */
const reading = { key: ['contracts.listed'], load: loadContracts, of: 'everybody', staleMs: 10_000, pollMs: 20_000 } as const;

export const useContractMarkets = (): Loaded<readonly ContractMarket[]> => useReading(reading);

/** The contract in view. */
export function useContract(): ContractMarket {
  const market = useMarket();
  assert('margin' in market, 'useContract is called outside the trading page of contracts');
  return market as ContractMarket;
}

export const QUOTE_POLL_MS = 1_000;
const FUNDING_POLL_MS = 5_000;

/** Prices of the contract in view: last, mark, index and best; `undefined` until they are read. */
export function useQuote(): AggregateTicker | undefined {
  const { symbol } = useMarket();
  return useData({ name: 'aggregateTicker', input: { query: { symbol: wireOf(symbol) } }, of: 'everybody', pollMs: QUOTE_POLL_MS }).value;
}

export function useFunding(): FundingRate | undefined {
  const { symbol } = useMarket();
  return useData({ name: 'fundingRate', input: { query: { symbol: wireOf(symbol) } }, of: 'everybody', pollMs: FUNDING_POLL_MS }).value;
}
