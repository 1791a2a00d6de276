/** `/trade/futures/{symbol}`: the contract in view, what is read of it, and the arrangement of panels the window has room for. */
import { Link, Navigate, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ReactElement } from 'react';
import { useChartOf, useChartSettings } from '../../market/chart/chart-settings.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { lastView } from '../../kit/storage/last-view.ts';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Page } from '../../kit/ui/page.tsx';
import type { Search } from '../../kit/ui/choices-in-search.ts';
import { useLayout } from '../../kit/ui/use-layout.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { useSignedIn } from '../shared/account.ts';
import { useBookRows } from '../shared/book/book-rows.ts';
import { usePace } from '../shared/use-pace.ts';
import { usePriceInTitle } from '../shared/document-title.ts';
import { DesktopLayout } from '../shared/layout/desktop-layout.tsx';
import { LoadingLayout } from '../shared/layout/loading-layout.tsx';
import { ListedMarketsProvider, MarketProvider } from '../../market/market-context.tsx';
import { MarketKindProvider } from '../../market/market-kind.tsx';
import { chosenMerge, useTradeSettings } from '../shared/trade-settings.ts';
import { useMissedContracts } from './account.ts';
import { useChartSource } from './contract-candles.tsx';
import { useContractFeed } from './contract-feed.ts';
import type { ContractMarket } from '../../market/contract-market.ts';
import { useContractMarkets } from '../../market/use-contracts.ts';
import { useFuturesActions } from './futures-actions.ts';
import { futuresKind } from './futures-kind.ts';

const LiquidationDialog = lazyDialog(async () => (await import('./records/liquidation-dialog.tsx')).LiquidationDialog);

/** What a wide window never shows. */
const PhoneLayout = lazyPart(async () => (await import('../shared/layout/phone-layout.tsx')).PhoneLayout);

const shownName = (pair: string): string => pair.replace('_', '/');

/** The address may ask why a position was liquidated: it is said once, and the address is that of the contract again. */
function useAskedLiquidation({ wire: symbol }: ContractMarket): void {
  const liquidation = useLocation({ select: ({ search }) => ('liquidation' in search ? String(search.liquidation) : undefined) });
  const navigate = useNavigate();
  const isSignedIn = useSignedIn();
  useEffect(() => {
    if (liquidation === undefined || !isSignedIn) return;
    void navigate({
      to: '/trade/futures/$pair',
      params: { pair: symbol },
      search: ({ liquidation: _asked, ...rest }: Search) => rest,
      replace: true,
    });
    void openDialog(LiquidationDialog, { name: { symbol, liquidationId: liquidation } });
  }, [liquidation, isSignedIn, symbol, navigate]);
}

interface InView {
  readonly market: ContractMarket;
  readonly listed: readonly ContractMarket[];
}

function Contract({ market, listed }: InView): ReactElement {
  const layout = useLayout();
  const { symbol, pricePrecision, sizePrecision, merges } = market;
  const interval = useChartSettings((settings) => settings.interval);
  const rows = useBookRows((state) => state.rows);
  const step = useTradeSettings((settings) => chosenMerge(settings.depthMerge, symbol, merges));
  const { source } = useChartSource();
  const view = useMemo(
    () => ({ symbol, pricePrecision, sizePrecision, interval, source, step, rows }),
    [symbol, pricePrecision, sizePrecision, interval, source, step, rows],
  );
  useChartOf(symbol);
  useContractFeed(view);
  usePace();
  useMissedContracts();
  useFuturesActions(market);
  useAskedLiquidation(market);
  usePriceInTitle(market);
  useEffect(() => lastView.write({ kind: 'futures', pair: market.wire }), [market.wire]);
  return (
    <MarketKindProvider value={futuresKind}>
      <MarketProvider value={market}>
        <ListedMarketsProvider value={listed}>
          <Panel loading={<LoadingLayout pair={shownName(market.wire)} />}>
            {layout === 'phone' ? <PhoneLayout /> : <DesktopLayout layout={layout} />}
          </Panel>
        </ListedMarketsProvider>
      </MarketProvider>
    </MarketKindProvider>
  );
}

export function FuturesPage(): ReactElement {
  const { pair } = useParams({ from: '/trade/futures/$pair' });
  const text = useText();
  const markets = useContractMarkets();
  if (markets.value === undefined) {
    if (markets.phase !== 'failed') return <LoadingLayout pair={shownName(pair)} />;
    return (
      <Page title={text('futures.loadFailed')} width="reading">
        <FailedState onRetry={markets.retry} />
      </Page>
    );
  }
  if (markets.value.length === 0) {
    return (
      <Page title={text('futures.none')} lead={text('futures.noneLead')} width="reading">
        <Link to="/trade/spot" className={buttonClasses({ kind: 'primary' })}>
          {text('futures.toSpot')}
        </Link>
      </Page>
    );
  }
  const market = markets.value.find(({ wire }) => wire === pair.toUpperCase());
  if (market === undefined) {
    return (
      <Page title={text('futures.unknown', { pair: shownName(pair) })} lead={text('trade.unknownPairLead')} width="reading">
        <Link to="/trade/futures/$pair" params={{ pair: 'BTC_USDC' }} className={buttonClasses({ kind: 'primary' })}>
          {text('futures.openDefault')}
        </Link>
      </Page>
    );
  }
  // One address for each contract, whatever its case.
  if (market.wire !== pair) return <Navigate to="/trade/futures/$pair" params={{ pair: market.wire }} replace />;
  return <Contract market={market} listed={markets.value} />;
}
