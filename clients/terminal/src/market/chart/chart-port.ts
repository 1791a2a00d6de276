/** What the terminal asks of a candle chart. The library behind it can change without the page knowing. */
import type { TimeZone } from '../../kit/format/time.ts';
import type { Bar, Interval } from '../../platform/feed/bars.ts';
import type { Drawing, DrawingTool } from './drawing.ts';
import type { Indicator } from './indicators.ts';

export const CANDLE_STYLES = ['candles', 'hollow', 'bars', 'line', 'baseline', 'heikinAshi'] as const;
export type CandleStyle = (typeof CANDLE_STYLES)[number];

/** Which own fills are marked on the chart. */
export const FILL_MARKS = ['all', 'off'] as const;
export type FillMarks = (typeof FILL_MARKS)[number];

/** An own fill, marked at its price on the bar of its time. */
export interface FillMark {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  /** Unix milliseconds. */
  readonly time: number;
  readonly price: number;
}

/** Where a chart was left. */
export interface ChartView {
  /** CSS pixels from one bar to the next. */
  readonly barWidth: number;
  /** The last bar in view, unix milliseconds; `undefined` when the newest bar is in view. */
  readonly lastTime: number | undefined;
}

/** A place on the chart that was pointed at. */
export interface ChartPlace {
  /** Decimal text with the market's decimals. */
  readonly price: string;
  /** CSS pixels from the top of the chart. */
  readonly y: number;
  /** The last price of the market; `undefined` without bars. */
  readonly last: number | undefined;
}

/** What is drawn on the chart by hand. */
export interface ChartDrawings {
  /** Shows these and no others. */
  set(drawings: readonly Drawing[]): void;
  /** The next clicks on the chart place the points. One that was not completed is dropped. */
  begin(tool: DrawingTool, text: string): void;
  /** Drops what is being drawn. */
  cancel(): void;
  /** A horizontal line at a price, without the mouse. */
  addLine(price: number): void;
  /** Removes the drawing that was clicked last. */
  removeSelected(): void;
  /** Hears what is there after each change made on the chart. */
  onChange(listener: (drawings: readonly Drawing[]) => void): void;
  /** Hears when a drawing was completed or dropped. */
  onEnd(listener: () => void): void;
}

/** An own order, drawn as a line at its price. */
export interface OrderLine {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** Such as `Buy 0.25`. */
  readonly label: string;
  /** Whether it can be dragged to another price. */
  readonly isMovable: boolean;
  /** Of risk instead of a side: where a position is liquidated. */
  readonly tone?: 'risk';
}

/** An order line was dropped at another price. */
export interface OrderMove {
  readonly orderId: string;
  /** Decimal text with the market's decimals. */
  readonly price: string;
}

export type MoveListener = (move: OrderMove) => void;

/** Colours as the canvas wants them: resolved values, not variables. */
export interface ChartTheme {
  readonly background: string;
  readonly text: string;
  readonly label: string;
  readonly grid: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly ink: string;
  readonly risk: string;
  /** Lines of indicators; each is dashed as the pattern at its place says, an empty one is a whole line. */
  readonly series: readonly string[];
  readonly dashes: readonly (readonly number[])[];
  readonly fontFamily: string;
}

/** Where the bars come from. */
export interface BarSource {
  /** The newest bars, or those before `before`; oldest first. */
  history(request: { readonly before: number | undefined }): Promise<BarPage>;
}

export interface BarPage {
  readonly bars: readonly Bar[];
  /** False when there is nothing older. */
  readonly more: boolean;
}

export interface ChartMarket {
  readonly symbol: string;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
}

/** The last bar, when it is a new one or the view was loaded: for words, not for pictures. */
export type SummaryListener = (bar: Bar | undefined) => void;

/** How the first page of the bars in view is doing. */
export type LoadState = 'loading' | 'ready' | 'empty' | 'failed';
export type LoadListener = (state: LoadState) => void;

export interface ChartPort {
  /** Shows a market at an interval; what was shown before is dropped. */
  show(market: ChartMarket, interval: Interval, source: BarSource): void;
  /** Replaces the last bar or appends the next one. */
  updateBar(bar: Bar): void;
  /** Reads the newest bars again, after a gap in the feed. */
  reload(): void;
  /** A pane of volumes waits until the bars have some. */
  setIndicators(indicators: readonly Indicator[]): void;
  setCandleStyle(style: CandleStyle): void;
  /** Drawn as they are, except while one of them is dragged. */
  setOrderLines(lines: readonly OrderLine[]): void;
  /** Escape while a line is dragged leaves it where it was. */
  onMove(listener: MoveListener): void;
  readonly drawings: ChartDrawings;
  setFills(fills: readonly FillMark[]): void;
  /** Applied when the bars shown next have been loaded. */
  setView(view: ChartView | undefined): void;
  onView(listener: (view: ChartView) => void): void;
  /** The place under the pointer, while it is over the candles. */
  onPoint(listener: (place: ChartPlace | undefined) => void): void;
  /** @param y CSS pixels from the top of the chart. @returns `undefined` below the candles. */
  placeAt(y: number): ChartPlace | undefined;
  /** Moves a crosshair bar by bar, for those who use no mouse; the bar it stands on, if there are any. */
  inspectBy(bars: number): Bar | undefined;
  /** The newest bars, oldest first. @param count at most. */
  newest(count: number): readonly Bar[];
  setTheme(theme: ChartTheme): void;
  /** Beside bars that are of other exchanges. */
  setOutsideWords(words: string): void;
  setNumberFormat(format: (value: string) => string): void;
  /** Of the times on the axis; bars of days and longer are dated in UTC in every zone. */
  setTimeZone(zone: TimeZone): void;
  onSummary(listener: SummaryListener): void;
  onLoad(listener: LoadListener): void;
  scrollBy(bars: number): void;
  zoomBy(factor: number): void;
  scrollToNow(): void;
  resize(): void;
  dispose(): void;
}
