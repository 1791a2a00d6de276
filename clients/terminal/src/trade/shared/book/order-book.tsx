/** The order book of the market in view. As many rows as fit; a click or Enter takes a price into the ticket. */
import { printDecimal } from '@orrery/units';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { marketStream } from '../../../platform/data/streams/streams.ts';
import type { BookSideName } from '../../../platform/data/streams/streams.ts';
import { useLadderTop } from '../../../platform/data/streams/use-streams.ts';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { chosenMerge, useTradeSettings } from '../trade-settings.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { rowsThatFit, useBookRows } from './book-rows.ts';
import { BookSide } from './book-side.tsx';
import { PriceHead } from './price-head.tsx';
import styles from './order-book.module.css';
import { useRowHeight } from './row-height.ts';
import { SpreadLine } from './spread-line.tsx';
import { useOwnPrices } from './use-own-prices.ts';

/** The same as the line's in the style sheet. */
const MIDDLE_HEIGHT = 34;

function useHeight(): { readonly measure: (element: HTMLElement | null) => (() => void) | undefined; readonly height: number } {
  const [height, setHeight] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { measure, height };
}

/** For screen readers, where a person wants to hear the market: otherwise it would interrupt what they do. */
function LiveSummary(): ReactElement {
  const market = useMarket();
  const numbers = useNumbers(market);
  const text = useText();
  const { value: top } = useLadderTop();
  const newest = useRef(top);
  const [announced, setAnnounced] = useState(top);
  useEffect(() => {
    newest.current = top;
  }, [top]);
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(newest.current), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" className="sr-only">
      {announced !== undefined && text('trade.book.live', { bid: numbers.price(announced.bestBid), ask: numbers.price(announced.bestAsk) })}
    </p>
  );
}

function LoadingRows({ rows }: { readonly rows: number }): ReactElement {
  return (
    <div aria-hidden="true" className={classes(styles['side'])}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles['row']}>
          <span className={styles['price']}>
            <Skeleton className="w-14" />
          </span>
          <span>
            <Skeleton className="w-12" />
          </span>
          <span>
            <Skeleton className="w-12" />
          </span>
        </div>
      ))}
    </div>
  );
}

export function OrderBook(): ReactElement {
  const market = useMarket();
  const text = useText();
  const { bookView, depthMerge } = useTradeSettings();
  const step = chosenMerge(depthMerge, market.symbol, market.merges);
  const own = useOwnPrices(market, step);
  const isMarketRead = useSettings((settings) => settings.readMarket);
  const { value: best, phase } = useLadderTop();
  const isLoaded = best !== undefined;
  const isStale = phase === 'stale';
  const { take } = useMarketKind().ticket;
  const { measure, height } = useHeight();
  const rowHeight = useRowHeight();
  const rows = rowsThatFit({ height: height - MIDDLE_HEIGHT, rowHeight, sides: bookView === 'both' ? 2 : 1 });
  useEffect(() => useBookRows.setState({ rows }), [rows]);
  const pick = useCallback(
    (side: BookSideName, index: number, as?: 'buy' | 'sell'): void => {
      const row = marketStream.row(side, index);
      if (row === undefined) return;
      // As much as stands from the best price to this row: an order of this price and size takes it.
      const { symbol, pricePrecision, sizePrecision } = market;
      const price = printDecimal(BigInt(row.price), pricePrecision);
      take({ symbol, price, size: printDecimal(BigInt(row.total), sizePrecision), take: as });
    },
    [market, take],
  );
  return (
    <section aria-label={text('trade.tab.book')} className={styles['book']}>
      <div className={styles['head']} aria-hidden="true">
        <PriceHead />
        <span>{text('trade.sizeIn', { coin: market.sizeName })}</span>
        <span>{text('trade.totalIn', { coin: market.sizeName })}</span>
      </div>
      <div ref={measure} className={classes('flex min-h-0 flex-1 flex-col', isStale && styles['stale'])}>
        {bookView !== 'bids' && (isLoaded ? <BookSide side="ask" rows={rows} own={own.ask} onPick={pick} /> : <LoadingRows rows={rows} />)}
        <SpreadLine />
        {bookView !== 'asks' && (isLoaded ? <BookSide side="bid" rows={rows} own={own.bid} onPick={pick} /> : <LoadingRows rows={rows} />)}
      </div>
      {isMarketRead && <LiveSummary />}
    </section>
  );
}
