/** The candle chart: the library loads when it is first shown, and a sentence says what it shows to those who cannot see it. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { browserFeed } from '../feed/browser-feed.ts';
import { shownPair } from '../feed/market.ts';
import type { TradedMarket } from '../feed/market.ts';
import { formatDecimal } from '../format/number-format.ts';
import { useText } from '../i18n/text.tsx';
import { useFormat } from '../settings/use-format.ts';
import { useSettings } from '../settings/settings.ts';
import { FailedState } from '../ui/empty-state.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { candles } from './candles.ts';
import type { ChartPort, LoadState, MoveListener, OrderLine } from './chart-port.ts';
import type { Bar } from '../feed/bars.ts';
import { useChartSettings } from './chart-settings.ts';
import { useChartTheme } from './chart-theme.ts';

export interface PriceChartProps {
  readonly market: TradedMarket;
  /** Own open orders, drawn as lines. */
  readonly orderLines: readonly OrderLine[];
  readonly onMove: MoveListener;
}

interface Attached {
  readonly port: ChartPort;
}

/** Loads the library and attaches a chart to the element as long as it is there. */
function useChart(element: HTMLElement | null): Attached | undefined {
  const theme = useChartTheme();
  const firstTheme = useRef(theme);
  const [attached, setAttached] = useState<Attached>();
  useEffect(() => {
    if (element === null) return undefined;
    let port: ChartPort | undefined;
    let isGone = false;
    void import('./klinecharts-chart.ts').then(({ createChart }) => {
      if (isGone) return;
      port = createChart(element, firstTheme.current);
      setAttached({ port });
    });
    const observer = new ResizeObserver(() => port?.resize());
    observer.observe(element);
    return () => {
      isGone = true;
      observer.disconnect();
      port?.dispose();
      setAttached(undefined);
    };
  }, [element]);
  useEffect(() => attached?.port.setTheme(theme), [attached, theme]);
  return attached;
}

/** Keys move the view only: orders are changed by key in the table of open orders. */
function moveBy(port: ChartPort, key: string): boolean {
  switch (key) {
    case 'ArrowLeft':
      port.scrollBy(-10);
      return true;
    case 'ArrowRight':
      port.scrollBy(10);
      return true;
    case '+':
    case '=':
      port.zoomBy(1.25);
      return true;
    case '-':
      port.zoomBy(0.8);
      return true;
    case 'End':
      port.scrollToNow();
      return true;
    default:
      return false;
  }
}

function Summary({ market, bar }: { readonly market: TradedMarket; readonly bar: Bar | undefined }): ReactElement {
  const text = useText();
  const format = useFormat();
  const interval = useChartSettings((settings) => settings.interval);
  const price = (value: number): string => format.number(value.toFixed(market.pricePrecision));
  return (
    <p className="sr-only">
      {bar !== undefined &&
        text('trade.chart.summary', {
          pair: shownPair(market.symbol),
          interval,
          time: format.time(bar.time),
          coin: market.baseName,
          open: price(bar.open),
          high: price(bar.high),
          low: price(bar.low),
          close: price(bar.close),
          volume: format.number(bar.volume.toFixed(2)),
        })}
    </p>
  );
}

export function PriceChart({ market, orderLines, onMove }: PriceChartProps): ReactElement {
  const text = useText();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const attached = useChart(element);
  const { interval, style, indicators } = useChartSettings();
  const numberFormat = useSettings((settings) => settings.numberFormat);
  const [load, setLoad] = useState<LoadState>('loading');
  const [bar, setBar] = useState<Bar>();
  const { symbol, pricePrecision, sizePrecision } = market;
  const shape = useMemo(() => ({ symbol, pricePrecision, sizePrecision }), [symbol, pricePrecision, sizePrecision]);
  useEffect(() => attached?.port.setNumberFormat((value) => formatDecimal(value, { format: numberFormat })), [attached, numberFormat]);
  useEffect(() => attached?.port.setCandleStyle(style), [attached, style]);
  useEffect(() => attached?.port.setIndicators(indicators), [attached, indicators]);
  useEffect(() => {
    if (attached === undefined) return undefined;
    const { port } = attached;
    port.onLoad(setLoad);
    port.onSummary(setBar);
    port.show(shape, interval, candles(shape.symbol, interval));
    const feed = browserFeed();
    const stopBars = feed.onBar((next, of) => {
      if (of.symbol === shape.symbol && of.interval === interval) port.updateBar(next);
    });
    const stopReturns = feed.onReturn(() => port.reload());
    return () => {
      stopBars();
      stopReturns();
    };
  }, [attached, shape, interval]);
  useEffect(() => attached?.port.setOrderLines(orderLines), [attached, orderLines]);
  useEffect(() => attached?.port.onMove(onMove), [attached, onMove]);
  const press = (event: KeyboardEvent): void => {
    if (attached !== undefined && moveBy(attached.port, event.key)) event.preventDefault();
  };
  return (
    <div className="relative min-h-0 min-w-0 flex-1">
      <div
        ref={setElement}
        role="application"
        tabIndex={0}
        aria-label={text('trade.chart.label', { pair: shownPair(symbol), interval })}
        onKeyDown={press}
        className="absolute inset-0 outline-offset-[-2px]"
      />
      <Summary market={market} bar={bar} />
      {(attached === undefined || load === 'loading') && <Spinner className="absolute top-1/2 left-1/2 -ml-2 text-fg3" />}
      {load === 'empty' && (
        <p className="pointer-events-none absolute inset-x-0 top-1/3 text-center text-md text-fg3">{text('trade.chart.empty')}</p>
      )}
      {load === 'failed' && (
        <div className="absolute inset-0 flex items-center justify-center bg-panel">
          <FailedState onRetry={() => attached?.port.reload()} />
        </div>
      )}
    </div>
  );
}
