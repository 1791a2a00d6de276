/** The market's prices and sizes in the person's number format, with the fixed decimals of its ticks and lots. */
import type { TradedMarket } from '../../feed/market.ts';
import { priceText, sizeText } from '../../feed/market.ts';
import { formatDecimal } from '../../format/number-format.ts';
import { useSettings } from '../../settings/settings.ts';

export interface MarketNumbers {
  /** @param ticks whole ticks; 0 is no price. */
  price(ticks: number): string;
  size(lots: number): string;
  /** Decimal text of the wire, at the market's decimals, rounded down. */
  priceOf(text: string | null | undefined): string;
  sizeOf(text: string | null | undefined): string;
  /** What was traded, in the base asset: always with the same decimals, so that it does not leap. */
  volumeOf(text: string | undefined): string;
}

const VOLUME_DECIMALS = 3;

export function useNumbers(market: TradedMarket): MarketNumbers {
  const format = useSettings((settings) => settings.numberFormat);
  const { pricePrecision, sizePrecision } = market;
  return {
    price: (ticks) => formatDecimal(ticks === 0 ? undefined : priceText(market, ticks), { format }),
    size: (lots) => formatDecimal(sizeText(market, lots), { format }),
    priceOf: (text) => formatDecimal(text ?? undefined, { format, decimals: pricePrecision }),
    sizeOf: (text) => formatDecimal(text ?? undefined, { format, decimals: sizePrecision }),
    volumeOf: (text) => formatDecimal(text, { format, decimals: Math.min(sizePrecision, VOLUME_DECIMALS) }),
  };
}
