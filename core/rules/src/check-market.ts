/** Whether an asset or a market can be registered as described. Gives the name of the first field that can not be. */
import { lots, ticks, type AssetId, type Atoms, type MarketId } from '@orrery/units';
import type { Asset, BookTerms, Market } from '@orrery/protocol';

/** Ids index dense tables. */
const ASSET_ID_MAX = 255;
const MARKET_ID_MAX = 1_023;
const DECIMALS_MAX = 18;
const MARKET_PRICE_MAX = ticks(2 ** 30 - 1);
/** Sums of sizes over a whole book stay safe integers. */
const MARKET_SIZE_MAX = lots(10 ** 12);
const FEE_PPM_MAX = 100_000;
const MILLION = 1_000_000;

const CODE = /^[A-Z][A-Z0-9]{0,15}$/;

export const isAssetId = (asset: AssetId): boolean => asset <= ASSET_ID_MAX;
export const isMarketId = (market: MarketId): boolean => market <= MARKET_ID_MAX;

export function invalidAssetField(asset: Asset): string | undefined {
  if (!isAssetId(asset.asset)) return 'asset';
  if (!CODE.test(asset.code)) return 'code';
  return isWhole(asset.decimals, DECIMALS_MAX) ? undefined : 'decimals';
}

/** @param base,quote the market's assets as they are registered */
export function invalidMarketField(market: Market, base: Asset, quote: Asset): string | undefined {
  if (!isMarketId(market.market)) return 'market';
  if (market.symbol !== `${base.code}_${quote.code}`) return 'symbol';
  if (base.asset === quote.asset) return 'quote';
  return invalidUnit(market, base, quote) ?? invalidRange(market) ?? invalidRate(market);
}

export function isWhole(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}

export function isPowerOfTen(value: Atoms, exponent: number): boolean {
  return exponent >= 0 && value === 10n ** BigInt(exponent);
}

function invalidUnit(market: Market, base: Asset, quote: Asset): string | undefined {
  if (!isWhole(market.pricePrecision, DECIMALS_MAX)) return 'pricePrecision';
  if (!isWhole(market.sizePrecision, DECIMALS_MAX)) return 'sizePrecision';
  if (!isPowerOfTen(market.lotAtoms, base.decimals - market.sizePrecision)) return 'lotAtoms';
  const exponent = quote.decimals - market.pricePrecision - market.sizePrecision;
  return isPowerOfTen(market.tickLotAtoms, exponent) ? undefined : 'tickLotAtoms';
}

export function invalidRange(market: BookTerms): string | undefined {
  if (market.minPrice < 1) return 'minPrice';
  if (market.maxPrice < market.minPrice || market.maxPrice > MARKET_PRICE_MAX) return 'maxPrice';
  if (market.minSize < 1) return 'minSize';
  if (market.maxSize < market.minSize || market.maxSize > MARKET_SIZE_MAX) return 'maxSize';
  if (market.minNotional < 0n) return 'minNotional';
  return market.maxNotional < market.minNotional ? 'maxNotional' : undefined;
}

export function invalidRate(market: BookTerms): string | undefined {
  if (market.makerFeePpm > FEE_PPM_MAX) return 'makerFeePpm';
  if (market.takerFeePpm > FEE_PPM_MAX) return 'takerFeePpm';
  if (market.limitBandPpm >= MILLION) return 'limitBandPpm';
  if (market.marketBandPpm >= MILLION) return 'marketBandPpm';
  return market.maxOpenOrders < 1 || !Number.isSafeInteger(market.maxOpenOrders) ? 'maxOpenOrders' : undefined;
}
