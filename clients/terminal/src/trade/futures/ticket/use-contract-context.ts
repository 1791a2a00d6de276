/** What the ticket of a contract reckons with. */
import { NO_TICKS, parseTicks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import { useMemo } from 'react';
import { useContractQuote, useDepth } from '../../../platform/data/streams/use-streams.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { levelPrice } from '../../shared/ticket/book-walk.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { SizeUnit } from '../../../market/size-units.ts';
import type { ContractContext } from './contract-draft.ts';

const NO_LEVELS: Levels = [];

function useSizeUnit({ accountKind, units }: ContractMarket): SizeUnit {
  const chosen = useSettings((settings) => (accountKind === 'uBased' ? settings.unitUBased : settings.unitCoinBased));
  return units.find(({ id }) => id === chosen) ?? units[0];
}

export function useContractContext(market: ContractMarket, mode: ContractContext['mode']): ContractContext {
  const unit = useSizeUnit(market);
  const { value: depth } = useDepth();
  const quote = useContractQuote(market.wire).value;
  return useMemo(() => {
    const [bids, asks] = depth?.symbol === market.symbol ? [depth.bids, depth.asks] : [NO_LEVELS, NO_LEVELS];
    const priceOf = (text: string | null | undefined): Ticks =>
      (text == null ? undefined : parseTicks(text, market.pricePrecision)) ?? NO_TICKS;
    const [mark, last] = [priceOf(quote?.m), priceOf(quote?.c)];
    return { market, mode, unit, mark, last, bestBid: levelPrice(bids, 0), bestAsk: levelPrice(asks, 0), bids, asks };
  }, [market, mode, unit, depth, quote]);
}
