/** What an amount is worth in USDC. */
import { NO_TICKS, printDecimal, type Ticks } from '@orrery/units';
import { valueAt, type ListedMarket } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { Estimate } from '../market-data/wire.ts';

const ESTIMATE_COIN = 'USDC';

/** As it is shown: by the last trade, or the outside price before the first one. */
export const estimateBy = (floor: Floor): Estimate => worthBy(floor, ({ lastPrice, indexPrice }) => lastPrice || indexPrice);

/** As limits count it: by the outside price, which no trade on our own book moves. */
export const outsideWorthBy = (floor: Floor): Estimate => worthBy(floor, ({ indexPrice }) => indexPrice);

function worthBy(floor: Floor, priceOf: (listed: ListedMarket) => Ticks): Estimate {
  return (amount, asset) => {
    if (asset.code === ESTIMATE_COIN) return printDecimal(amount, asset.decimals);
    const listed = floor.markets.marketBySymbol(`${asset.code}_${ESTIMATE_COIN}`);
    const price = listed === undefined ? NO_TICKS : priceOf(listed);
    if (listed === undefined || price === NO_TICKS) return undefined;
    const quote = floor.asset(listed.market.quote);
    return printDecimal(valueAt(amount, { price, market: listed.market, base: asset, quote }), quote.decimals);
  };
}
