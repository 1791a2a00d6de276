/** The contracts that are listed, read once and kept, and the figures of the one in view. */
import type { AggregateTicker, FundingRate } from '@orrery/api';
import { assert } from '@orrery/units';
import { useFormat } from '../kit/settings/use-format.ts';
import { ask } from '../platform/data/calls.ts';
import type { Loaded } from '../kit/ui/loaded.ts';
import { readOnce, useReading } from '../platform/data/use-data.ts';
import { wireOf } from '../platform/feed/perpetual.ts';
import { useContractFunding, useContractQuote } from '../platform/data/streams/use-streams.ts';
import { useMarket } from './market-context.tsx';
import { contractMarket } from './contract-market.ts';
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

/** A contract can be halted, or lose its outside prices, at any time: the list is read again now and then, and its prices come by the stream. */
const reading = { key: ['contracts.listed'], load: loadContracts, of: 'everybody', staleMs: 30_000, pollMs: 60_000 } as const;

/** For what is no component. Rejects where the exchange is not reached. */
export const contractsListed = (): Promise<readonly ContractMarket[]> => readOnce(reading);

export const useContractMarkets = (): Loaded<readonly ContractMarket[]> => useReading(reading);

/** A size as it may be shown, with what its contract counts sizes in. While the list is not known, the size alone. */
export function useContractSizes(): (symbol: string, size: string) => string {
  const format = useFormat();
  const markets = useContractMarkets().value;
  return (symbol, size) => {
    const market = markets?.find(({ wire }) => wire === symbol);
    return market === undefined ? format.own(size) : `${format.own(size, { decimals: market.sizePrecision })} ${market.sizeName}`;
  };
}

/** The contract in view. */
export function useContract(): ContractMarket {
  const market = useMarket();
  assert('margin' in market, 'useContract is called outside the trading page of contracts');
  return market as ContractMarket;
}

/** Prices of the contract in view: last, mark, index and best; `undefined` until the stream has sent them. */
export function useQuote(): AggregateTicker | undefined {
  return useContractQuote(wireOf(useMarket().symbol)).value;
}

export function useFunding(): FundingRate | undefined {
  return useContractFunding(wireOf(useMarket().symbol)).value;
}
