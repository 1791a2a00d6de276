/** The last price in the window's title, once a second at most: a title that flickers is noise. */
import { useEffect } from 'react';
import { marketStream, tickerStream } from '../../platform/data/streams/streams.ts';
import { priceText, shownPair } from '../../market/market.ts';
import type { TradedMarket } from '../../market/market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';

const EVERY_MS = 1_000;

export function usePriceInTitle(market: TradedMarket): void {
  const text = useText();
  const format = useSettings((settings) => settings.numberFormat);
  useEffect(() => {
    const report = (): void => {
      const traded = marketStream.trades()?.[0]?.price;
      const last = traded === undefined ? (tickerStream.of(market.symbol)?.c ?? undefined) : priceText(market, traded);
      const pair = shownPair(market.symbol);
      document.title =
        last === undefined ? `${pair} · Orrery` : text('trade.documentTitle', { price: formatDecimal(last, { format }), pair });
    };
    report();
    const timer = setInterval(report, EVERY_MS);
    return () => clearInterval(timer);
  }, [market, format, text]);
}
