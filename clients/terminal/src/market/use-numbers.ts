/** The market's prices and sizes in the person's number format, with the fixed decimals of its ticks and lots. */
import { NO_TICKS } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';
import type { TradedMarket } from './market.ts';
import { priceText, sizeText } from './market.ts';
import { formatDecimal } from '../kit/format/number-format.ts';
import { useSettings } from '../kit/settings/settings.ts';

export interface MarketNumbers {
  /** 0 is no price. */
  price(price: Ticks): string;
  size(size: Lots): string;
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
    price: (price) => formatDecimal(price === NO_TICKS ? undefined : priceText(market, price), { format }),
    size: (size) => formatDecimal(sizeText(market, size), { format }),
    priceOf: (text) => formatDecimal(text ?? undefined, { format, decimals: pricePrecision }),
    sizeOf: (text) => formatDecimal(text ?? undefined, { format, decimals: sizePrecision }),
    volumeOf: (text) => formatDecimal(text, { format, decimals: Math.min(sizePrecision, VOLUME_DECIMALS) }),
  };
}
