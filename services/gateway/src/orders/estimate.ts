/** What an amount is worth in USDC: by the last trade, or the outside price before the first one. */
import { NO_TICKS, printDecimal } from '@orrery/units';
import { valueAt } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { Estimate } from '../market-data/wire.ts';

const ESTIMATE_COIN = 'USDC';

export function estimateBy(floor: Floor): Estimate {
  return (amount, asset) => {
    if (asset.code === ESTIMATE_COIN) return printDecimal(amount, asset.decimals);
    const listed = floor.markets.marketBySymbol(`${asset.code}_${ESTIMATE_COIN}`);
    const price = listed === undefined ? NO_TICKS : listed.lastPrice || listed.indexPrice;
    if (listed === undefined || price === NO_TICKS) return undefined;
    const quote = floor.asset(listed.market.quote);
    return printDecimal(valueAt(amount, { price, market: listed.market, base: asset, quote }), quote.decimals);
  };
}
