/** A chart in an element: the library is loaded when it is first shown, and what the person chose is kept in step with what is drawn. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Bar, Interval } from '../../platform/feed/bars.ts';
import { marketStream } from '../../platform/data/streams/streams.ts';
import type { TradedMarket } from '../market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import { candles } from './candles.ts';
import type { BarSource, ChartPort, FillMark, LoadState, MoveListener, OrderLine } from './chart-port.ts';
import { useChartSettings } from './chart-settings.ts';
import { useChartTheme } from './chart-theme.ts';

export interface Attached {
  readonly port: ChartPort;
}

/** Attaches a chart to the element as long as it is there. */
function useAttached(element: HTMLElement | null): Attached | undefined {
  const theme = useChartTheme();
  const firstTheme = useRef(theme);
  const [attached, setAttached] = useState<Attached>();
  useEffect(() => {
    if (element === null) return undefined;
    let port: ChartPort | undefined;
    let isGone = false;
    void loadCode(() => import('./klinecharts-chart.ts')).then(({ createChart }) => {
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

/** A view changes with every step of a scroll: it is remembered when it stands still. */
const SETTLED_MS = 500;

/** What is drawn and where the chart was left, as it is remembered of this account and market. */
function useMemory(attached: Attached | undefined): void {
  const { key, drawings } = useChartSettings();
  useEffect(() => attached?.port.drawings.set(drawings), [attached, drawings]);
  useEffect(() => {
    if (attached === undefined) return undefined;
    const { set } = useChartSettings.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    attached.port.drawings.onChange((next) => set({ drawings: next }));
    attached.port.onView((view) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // What was in view of another market is not where this one was left.
        if (useChartSettings.getState().key === key) set({ view });
      }, SETTLED_MS);
    });
    return () => clearTimeout(timer);
  }, [attached, key]);
}

export interface ChartContents {
  readonly market: TradedMarket;
  readonly orderLines: readonly OrderLine[];
  readonly onMove: MoveListener;
  /** Own fills of this market. */
  readonly fills: readonly FillMark[];
  /** Where its bars come from; those of its trades unless given. */
  readonly source?: (symbol: string, interval: Interval) => BarSource;
}

export interface Charted {
  readonly attached: Attached | undefined;
  readonly load: LoadState;
  /** The last bar, when it is a new one or the view was loaded. */
  readonly bar: Bar | undefined;
}

const NO_FILLS: readonly FillMark[] = [];

export function useChart(element: HTMLElement | null, { market, orderLines, onMove, fills, source = candles }: ChartContents): Charted {
  const attached = useAttached(element);
  const { interval, style, indicators, fillMarks } = useChartSettings();
  const numberFormat = useSettings((settings) => settings.numberFormat);
  const [load, setLoad] = useState<LoadState>('loading');
  const [bar, setBar] = useState<Bar>();
  const { symbol, pricePrecision, sizePrecision } = market;
  const shape = useMemo(() => ({ symbol, pricePrecision, sizePrecision }), [symbol, pricePrecision, sizePrecision]);
  useEffect(() => attached?.port.setNumberFormat((value) => formatDecimal(value, { format: numberFormat })), [attached, numberFormat]);
  const outside = useText()('chart.outside');
  useEffect(() => attached?.port.setOutsideWords(outside), [attached, outside]);
  const timeZone = useSettings((settings) => settings.timeZone);
  useEffect(() => attached?.port.setTimeZone(timeZone), [attached, timeZone]);
  useEffect(() => attached?.port.setCandleStyle(style), [attached, style]);
  useEffect(() => attached?.port.setIndicators(indicators), [attached, indicators]);
  useEffect(() => {
    if (attached === undefined) return undefined;
    const { port } = attached;
    port.onLoad(setLoad);
    port.onSummary(setBar);
    port.setView(useChartSettings.getState().view);
    port.show(shape, interval, source(shape.symbol, interval));
    const stopBars = marketStream.onBar((next, of) => {
      if (of.symbol === shape.symbol && of.interval === interval) port.updateBar(next);
    });
    const stopReturns = marketStream.onReturn(() => port.reload());
    return () => {
      stopBars();
      stopReturns();
    };
  }, [attached, shape, interval, source]);
  useMemory(attached);
  const marks = fillMarks === 'all' ? fills : NO_FILLS;
  useEffect(() => attached?.port.setFills(marks), [attached, marks]);
  useEffect(() => attached?.port.setOrderLines(orderLines), [attached, orderLines]);
  useEffect(() => attached?.port.onMove(onMove), [attached, onMove]);
  return { attached, load, bar };
}
