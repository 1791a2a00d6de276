/** `/trade/spot/{pair}`: the market in view, its feed, and the arrangement of panels the window has room for. */
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useChartOf, useChartSettings } from '../../market/chart/chart-settings.ts';
import { marketStream, tickerStream } from '../../platform/data/streams/streams.ts';
import { marketNamed, shownPair } from '../../market/market.ts';
import type { TradedMarket } from '../../market/market.ts';
import { useMarkets } from '../../market/markets.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { lastView } from '../../kit/storage/last-view.ts';
import { previousSpotSymbol } from '../../kit/storage/remembered.ts';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { Page } from '../../kit/ui/page.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { useBookRows } from '../shared/book/book-rows.ts';
import { usePriceInTitle } from '../shared/document-title.ts';
import { DesktopLayout } from '../shared/layout/desktop-layout.tsx';
import { LoadingLayout } from '../shared/layout/loading-layout.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { useLayout } from '../../kit/ui/use-layout.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { ListedMarketsProvider, MarketProvider } from '../../market/market-context.tsx';
import { MarketKindProvider } from '../../market/market-kind.tsx';
import { useSpotActions } from './spot-actions.ts';
import { spotKind } from './spot-kind.ts';
import { followLayouts } from '../shared/layout/layout-memory.ts';
import { usePace } from '../shared/use-pace.ts';
import { chosenMerge, followTradeSettings, useTradeSettings } from '../shared/trade-settings.ts';

/** What a wide window never shows. */
const PhoneLayout = lazyPart(async () => (await import('../shared/layout/phone-layout.tsx')).PhoneLayout);

/** Keeps the feed on the market that is shown, as long as it is shown. */
function useView(market: TradedMarket): void {
  const { symbol, pricePrecision, sizePrecision, merges } = market;
  const interval = useChartSettings((settings) => settings.interval);
  const rows = useBookRows((state) => state.rows);
  const step = useTradeSettings((settings) => chosenMerge(settings.depthMerge, symbol, merges));
  useEffect(() => {
    marketStream.show({ symbol, pricePrecision, sizePrecision, interval, step, rows });
  }, [symbol, pricePrecision, sizePrecision, interval, step, rows]);
  useEffect(() => () => marketStream.leave(), []);
}

/** The numbers of every market before the stream has sent them. */
function FirstTickers(): null {
  const { value } = useData({ name: 'tickers', of: 'everybody', staleMs: 60_000 });
  useEffect(() => {
    if (value !== undefined) tickerStream.offer(value);
  }, [value]);
  return null;
}

function useOtherTabs(): void {
  useEffect(() => followTradeSettings(), []);
  useEffect(() => followLayouts(), []);
}

interface InView {
  readonly market: TradedMarket;
  readonly listed: readonly TradedMarket[];
}

function Market({ market, listed }: InView): ReactElement {
  const layout = useLayout();
  useChartOf(market.symbol);
  useSpotActions(market);
  useView(market);
  usePace();
  useOtherTabs();
  usePriceInTitle(market);
  useEffect(() => {
    previousSpotSymbol.write(market.symbol);
    lastView.write({ kind: 'spot', pair: market.symbol });
  }, [market.symbol]);
  return (
    <MarketKindProvider value={spotKind}>
      <MarketProvider value={market}>
        <ListedMarketsProvider value={listed}>
          <Panel room="none">
            <FirstTickers />
          </Panel>
          <Panel loading={<LoadingLayout pair={shownPair(market.symbol)} />}>
            {layout === 'phone' ? <PhoneLayout /> : <DesktopLayout layout={layout} />}
          </Panel>
        </ListedMarketsProvider>
      </MarketProvider>
    </MarketKindProvider>
  );
}

function UnknownPair({ pair }: { readonly pair: string }): ReactElement {
  const text = useText();
  return (
    <Page title={text('trade.unknownPair', { pair })} lead={text('trade.unknownPairLead')} width="reading">
      <Link to="/trade/spot/$pair" params={{ pair: 'BTC_USDC' }} className={buttonClasses({ kind: 'primary' })}>
        {text('trade.openDefault')}
      </Link>
    </Page>
  );
}

export function TradePage(): ReactElement {
  const { pair } = useParams({ from: '/trade/spot/$pair' });
  const text = useText();
  const markets = useMarkets();
  if (markets.value === undefined) {
    if (markets.phase !== 'failed') return <LoadingLayout pair={shownPair(pair)} />;
    return (
      <Page title={text('trade.loadFailed')} width="reading">
        <FailedState onRetry={markets.retry} />
      </Page>
    );
  }
  const market = marketNamed(markets.value, pair);
  if (market === undefined) return <UnknownPair pair={shownPair(pair)} />;
  // One address for each market, whatever it was called.
  if (market.symbol !== pair) return <Navigate to="/trade/spot/$pair" params={{ pair: market.symbol }} replace />;
  return <Market market={market} listed={markets.value} />;
}
