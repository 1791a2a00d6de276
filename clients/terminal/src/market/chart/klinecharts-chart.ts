/** The chart port on klinecharts. The library touches `window` when it loads, so this file is only ever imported lazily. */
import { dispose, init, registerIndicator, registerOverlay } from 'klinecharts';
import type { Chart, Crosshair, DataLoaderGetBarsParams, DeepPartial, KLineData, Period, Styles } from 'klinecharts';
import { BASELINE, baselinePicture, HEIKIN_ASHI, heikinAshiPicture } from './candle-pictures.ts';
import type {
  BarPage,
  BarSource,
  CandleStyle,
  ChartMarket,
  ChartPlace,
  ChartPort,
  ChartTheme,
  ChartView,
  FillMark,
  LoadListener,
  MoveListener,
  OrderLine,
  SummaryListener,
} from './chart-port.ts';
import type { TimeZone } from '../../kit/format/time.ts';
import { barsBetween } from './bar-gaps.ts';
import { isByDate } from './bar-text.ts';
import type { Bar, Interval } from '../../platform/feed/bars.ts';
import { DrawingLayer, textDrawing } from './drawing-layer.ts';
import { atrIndicator, vwapIndicator } from './extra-indicators.ts';
import { FILL_MARK, fillMarkOverlay } from './fill-mark-overlay.ts';
import { CANDLE_PANE, IndicatorPanes } from './indicator-panes.ts';
import type { Indicator } from './indicators.ts';
import { isDrawnApart, klinechartsStyles } from './klinecharts-styles.ts';
import type { Legend } from './klinecharts-styles.ts';
import { ORDER_LINE, orderLineOverlay } from './order-line-overlay.ts';
import { boundaryOf, OUTSIDE, outsideOverlay } from './outside-overlay.ts';
import { placeAt, placeOf, pointAt, restoreView, viewOf } from './pointed-place.ts';

registerOverlay(orderLineOverlay);
registerOverlay(fillMarkOverlay);
registerOverlay(outsideOverlay);
registerOverlay(textDrawing);
registerIndicator(atrIndicator);
registerIndicator(vwapIndicator);
registerIndicator(baselinePicture);
registerIndicator(heikinAshiPicture);

const PERIODS = {
  '1m': { type: 'minute', span: 1 },
  '5m': { type: 'minute', span: 5 },
  '15m': { type: 'minute', span: 15 },
  '30m': { type: 'minute', span: 30 },
  '1h': { type: 'hour', span: 1 },
  '4h': { type: 'hour', span: 4 },
  '1d': { type: 'day', span: 1 },
  '1w': { type: 'week', span: 1 },
  '1M': { type: 'month', span: 1 },
} as const satisfies Record<Interval, Period>;

/** Pixels above the highest candle, so that its label stays clear of the legends. */
const LEGEND_HEIGHT = 76;
/** CSS pixels from one bar to the next, until the person zooms. */
const BAR_WIDTH = 8;

/** Volumes are read, not reckoned with. */
const VOLUME_DECIMALS = 2;

/** A failed page is asked for again when the chart next reaches its left edge, but not sooner than this. */
const RETRY_MS = 3000;

const toKLine = (bar: Bar): KLineData => ({
  timestamp: bar.time,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  volume: bar.volume,
  ...(bar.outside && { outside: true }),
});
const toBar = (data: KLineData): Bar => ({
  time: data.timestamp,
  open: data.open,
  high: data.high,
  low: data.low,
  close: data.close,
  volume: data.volume ?? 0,
  ...(data['outside'] === true && { outside: true }),
});

/** Pixels in which the four prices of a bar and its change stand side by side, with the axis. */
const WHOLE_LEGEND_WIDTH = 440;

const legendFor = ({ clientWidth }: HTMLElement): Legend => (clientWidth < WHOLE_LEGEND_WIDTH ? 'short' : 'whole');

class KlinechartsChart implements ChartPort {
  readonly #element: HTMLElement;
  readonly #chart: Chart;
  #source: BarSource | undefined;
  #request: DataLoaderGetBarsParams | undefined;
  #abort = new AbortController();
  #push: ((data: KLineData) => void) | undefined;
  readonly drawings: DrawingLayer;
  readonly #indicators: IndicatorPanes;
  #fills: readonly FillMark[] = [];
  #view: ChartView | undefined;
  /** When the bar began on which the keys stand: its place changes when older bars come before it, and when all are read again. */
  #inspected: number | undefined;
  #lines: readonly OrderLine[] = [];
  #theme: ChartTheme;
  #style: CandleStyle = 'candles';
  #legend: Legend;
  #outsideWords = '';
  #format: (value: string) => string = (value) => value;
  #zone: TimeZone = 'local';
  #interval: Interval | undefined;
  #onSummary: SummaryListener = () => undefined;
  /** The bar that was last put into words. */
  #reported = 0;
  #onLoad: LoadListener = () => undefined;
  #onMove: MoveListener = () => undefined;
  /** The order whose line is dragged now. */
  #dragged: string | undefined;

  constructor(element: HTMLElement, chart: Chart, theme: ChartTheme) {
    this.#element = element;
    this.#chart = chart;
    this.#theme = theme;
    this.#legend = legendFor(element);
    this.drawings = new DrawingLayer(chart);
    this.#indicators = new IndicatorPanes(element, chart);
    chart.setThousandsSeparator({ format: (value) => this.#shown(String(value)) });
    chart.setDecimalFold({ format: (value) => String(value) });
    chart.setBarSpace(BAR_WIDTH);
    chart.setOffsetRightDistance(64);
    chart.setRightMinVisibleBarCount(3);
    chart.setDataLoader({
      getBars: (request) => this.#enqueue(request),
      subscribeBar: ({ callback }) => {
        this.#push = callback;
      },
      unsubscribeBar: () => {
        this.#push = undefined;
      },
    });
  }

  show(market: ChartMarket, interval: Interval, source: BarSource): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#source = source;
    this.#inspected = undefined;
    this.#reported = 0;
    // The last bar of another interval is none of this one.
    this.#onSummary(undefined);
    this.#chart.setSymbol({
      ticker: market.symbol,
      pricePrecision: market.pricePrecision,
      volumePrecision: Math.min(VOLUME_DECIMALS, market.sizePrecision),
    });
    this.#chart.setPeriod(PERIODS[interval]);
    this.#interval = interval;
    this.#dateBars();
    this.#drawLines();
  }

  updateBar(bar: Bar): void {
    const last = this.#chart.getDataList().at(-1);
    if (this.#interval !== undefined)
      for (const missing of barsBetween(last && toBar(last), bar, this.#interval)) this.#push?.(toKLine(missing));
    this.#push?.(toKLine(bar));
    this.#indicators.refresh();
    this.#summarize();
  }

  reload(): void {
    this.#chart.resetData();
  }

  setIndicators(indicators: readonly Indicator[]): void {
    this.#indicators.set(indicators);
  }

  setCandleStyle(style: CandleStyle): void {
    this.#style = style;
    this.setTheme(this.#theme);
  }

  setFills(fills: readonly FillMark[]): void {
    this.#fills = fills;
    this.#drawFills();
  }

  setView(view: ChartView | undefined): void {
    this.#view = view;
  }

  onView(listener: (view: ChartView) => void): void {
    this.#chart.unsubscribeAction('onVisibleRangeChange');
    this.#chart.subscribeAction('onVisibleRangeChange', () => {
      if (this.#chart.getDataList().length > 0) listener(viewOf(this.#chart));
    });
  }

  onPoint(listener: (place: ChartPlace | undefined) => void): void {
    this.#chart.unsubscribeAction('onCrosshairChange');
    this.#chart.subscribeAction('onCrosshairChange', (crosshair) => listener(placeOf(this.#chart, crosshair as Crosshair)));
  }

  placeAt(y: number): ChartPlace | undefined {
    return placeAt(this.#chart, y);
  }

  inspectBy(bars: number): Bar | undefined {
    const list = this.#chart.getDataList();
    const from = this.#inspected;
    const stands = from === undefined ? list.length : list.findLastIndex(({ timestamp }) => timestamp <= from);
    const index = Math.max(0, Math.min(list.length - 1, stands + bars));
    const bar = list[index];
    if (bar === undefined) return undefined;
    this.#inspected = bar.timestamp;
    pointAt(this.#chart, index);
    return toBar(bar);
  }

  newest(count: number): readonly Bar[] {
    return this.#chart.getDataList().slice(-count).map(toBar);
  }

  setOrderLines(lines: readonly OrderLine[]): void {
    this.#lines = lines;
    this.#drawLines();
  }

  onMove(listener: MoveListener): void {
    this.#onMove = listener;
  }

  setTheme(theme: ChartTheme): void {
    this.#theme = theme;
    const styles: DeepPartial<Styles> = klinechartsStyles(theme, this.#style, this.#legend);
    this.#chart.setStyles(styles);
    this.#drawPicture();
    this.#drawOutside();
    this.#drawFills();
    this.#drawLines();
  }

  setOutsideWords(words: string): void {
    this.#outsideWords = words;
    this.#drawOutside();
  }

  setNumberFormat(format: (value: string) => string): void {
    this.#format = format;
    this.#chart.resize();
    this.#drawLines();
  }

  setTimeZone(zone: TimeZone): void {
    this.#zone = zone;
    this.#dateBars();
  }

  #dateBars(): void {
    const isUtc = this.#zone === 'utc' || (this.#interval !== undefined && isByDate(this.#interval));
    this.#chart.setTimezone(isUtc ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  onSummary(listener: SummaryListener): void {
    this.#onSummary = listener;
  }

  onLoad(listener: LoadListener): void {
    this.#onLoad = listener;
  }

  scrollBy(bars: number): void {
    this.#chart.scrollByDistance(-bars * this.#chart.getBarSpace().bar);
  }

  zoomBy(factor: number): void {
    const width = this.#element.clientWidth;
    this.#chart.zoomAtCoordinate(factor, { x: width / 2, y: 0 });
  }

  scrollToNow(): void {
    this.#chart.scrollToRealTime();
  }

  resize(): void {
    const legend = legendFor(this.#element);
    if (legend !== this.#legend) {
      this.#legend = legend;
      this.setTheme(this.#theme);
    }
    this.#chart.resize();
    this.#indicators.size();
  }

  dispose(): void {
    this.#abort.abort();
    window.removeEventListener('keydown', this.#letGoOnEscape, true);
    dispose(this.#element);
  }

  /** Large volumes come with a letter, such as `1.27K`. */
  #shown(value: string): string {
    const [, digits = value, letter = ''] = /^(-?[\d.]+)([KMBT])$/.exec(value) ?? [];
    return this.#format(digits) + letter;
  }

  /** Symbol and period each ask for a first page; only the last asked in one turn is fetched. */
  #enqueue(request: DataLoaderGetBarsParams): void {
    this.#request = request;
    queueMicrotask(() => {
      if (this.#request === request && this.#source !== undefined) void this.#fetch(request, this.#source, this.#abort.signal);
    });
  }

  async #fetch(request: DataLoaderGetBarsParams, source: BarSource, signal: AbortSignal): Promise<void> {
    if (request.type === 'init') this.#onLoad('loading');
    const before = request.type === 'forward' ? (request.timestamp ?? undefined) : undefined;
    const page: BarPage | undefined = await source.history({ before }).catch(() => undefined);
    if (signal.aborted || this.#request !== request) return;
    if (page === undefined) return this.#failed(request, signal);
    request.callback(page.bars.map(toKLine), { forward: page.more, backward: false });
    this.#drawOutside();
    if (request.type === 'init') this.#loaded(page);
    this.#summarize();
  }

  #loaded({ bars }: BarPage): void {
    this.#indicators.refresh();
    restoreView(this.#chart, this.#view ?? { barWidth: BAR_WIDTH, lastTime: undefined });
    this.#onLoad(bars.length === 0 ? 'empty' : 'ready');
  }

  #failed(request: DataLoaderGetBarsParams, signal: AbortSignal): void {
    if (request.type === 'init') {
      this.#onLoad('failed');
      return;
    }
    setTimeout(() => {
      if (!signal.aborted && this.#request === request) request.callback([], { forward: true, backward: false });
    }, RETRY_MS);
  }

  /** A sentence that changed four times a second would be noise: a bar is announced when it begins. */
  #summarize(): void {
    const bar = this.#chart.getDataList().at(-1);
    if (bar === undefined || bar.timestamp === this.#reported) return;
    this.#reported = bar.timestamp;
    this.#onSummary(toBar(bar));
  }

  /** What is held is not taken out of the hand: the lines are drawn again when it is let go. */
  #drawLines(): void {
    if (this.#dragged !== undefined) return;
    this.#chart.removeOverlay({ name: ORDER_LINE });
    const precision = this.#chart.getSymbol()?.pricePrecision ?? 2;
    for (const [place, line] of this.#lines.entries()) {
      this.#chart.createOverlay({
        name: ORDER_LINE,
        id: line.orderId,
        lock: !line.isMovable,
        onPressedMoveStart: () => this.#take(line.orderId),
        onPressedMoveEnd: ({ overlay }) => this.#drop(line, (overlay.points[0]?.value ?? line.price).toFixed(precision)),
        points: [{ value: line.price }],
        extendData: {
          color: line.tone === 'risk' ? this.#theme.risk : line.side === 'buy' ? this.#theme.up : this.#theme.down,
          background: this.#theme.background,
          label: line.label,
          lines: this.#lines,
          place,
          priceAt: (value: number) => this.#format(value.toFixed(precision)),
          fontFamily: this.#theme.fontFamily,
        },
      });
    }
  }

  #take(orderId: string): void {
    this.#dragged = orderId;
    window.addEventListener('keydown', this.#letGoOnEscape, true);
  }

  #letGo(): void {
    window.removeEventListener('keydown', this.#letGoOnEscape, true);
    this.#dragged = undefined;
    this.#drawLines();
  }

  readonly #letGoOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#letGo();
  };

  /** The line goes back: the order is where it was until the exchange says otherwise. */
  #drop({ orderId, price }: OrderLine, target: string): void {
    if (this.#dragged !== orderId) return;
    this.#letGo();
    if (Number(target) > 0 && Number(target) !== price) this.#onMove({ orderId, price: target });
  }

  /** The picture of a style that the library does not have. */
  #drawPicture(): void {
    for (const name of [BASELINE, HEIKIN_ASHI]) this.#chart.removeIndicator({ name });
    if (!isDrawnApart(this.#style)) return;
    const { up, down, label } = this.#theme;
    const name = this.#style === 'baseline' ? BASELINE : HEIKIN_ASHI;
    // Below the lines of the indicators.
    this.#chart.createIndicator({ name, paneId: CANDLE_PANE, zLevel: -1, extendData: { up, down, label } }, true);
  }

  #drawOutside(): void {
    this.#chart.removeOverlay({ name: OUTSIDE });
    const first = boundaryOf(this.#chart.getDataList());
    if (first === undefined) return;
    const { label: color, background, fontFamily } = this.#theme;
    const extendData = { color, background, label: this.#outsideWords, fontFamily };
    this.#chart.createOverlay({ name: OUTSIDE, lock: true, points: [{ timestamp: first.timestamp, value: first.close }], extendData });
  }

  #drawFills(): void {
    this.#chart.removeOverlay({ name: FILL_MARK });
    const { up, down, text } = this.#theme;
    this.#chart.createOverlay(
      this.#fills.map(({ id, side, time, price }) => ({
        name: FILL_MARK,
        id: `fill ${id}`,
        lock: true,
        points: [{ timestamp: time, value: price }],
        extendData: { side, color: side === 'buy' ? up : down, edge: text },
      })),
    );
  }
}

export function createChart(element: HTMLElement, theme: ChartTheme): ChartPort {
  const chart = init(element, {
    styles: klinechartsStyles(theme, 'candles', legendFor(element)),
    locale: 'en-US',
    zoomAnchor: 'last_bar',
    hotkey: { enabled: false },
  });
  if (chart === null) throw new Error('the chart could not be created');
  // Its own stop for keys comes before every other on the page and can not be seen: the element around it is the stop.
  for (const stop of element.querySelectorAll('[tabindex]')) stop.removeAttribute('tabindex');
  chart.overrideYAxis({ paneId: CANDLE_PANE, gap: { top: LEGEND_HEIGHT, bottom: 0.1 } });
  return new KlinechartsChart(element, chart, theme);
}
