/** What an amount is worth in USDC: by the last trade, or the outside price before the first one. */
import { divFloor, printDecimal } from '@orrery/units';
import type { Floor } from '../floor.ts';
import type { Estimate } from '../market-data/wire.ts';

const ESTIMATE_COIN = 'USDC';

export function estimateBy(floor: Floor): Estimate {
  return (amount, asset) => {
    if (asset.code === ESTIMATE_COIN) return printDecimal(amount, asset.decimals);
    const listed = floor.markets.marketBySymbol(`${asset.code}_${ESTIMATE_COIN}`);
    const price = listed === undefined ? 0 : listed.lastPrice || listed.indexPrice;
    if (listed === undefined || price === 0) return undefined;
    const { decimals } = floor.asset(listed.market.quote);
    const dividend = amount * BigInt(price) * 10n ** BigInt(decimals);
    return printDecimal(divFloor(dividend, 10n ** BigInt(asset.decimals + listed.market.pricePrecision)), decimals);
  };
}
