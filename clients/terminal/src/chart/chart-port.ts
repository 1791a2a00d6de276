/** What the terminal asks of a candle chart. The library behind it can change without the page knowing. */
import type { Bar, Interval } from '../feed/bars.ts';

export const CANDLE_STYLES = ['candles', 'hollow', 'bars', 'line'] as const;
export type CandleStyle = (typeof CANDLE_STYLES)[number];

/** In the order of the menu; the first three lie over the candles, the others have their own pane. */
export const INDICATORS = ['MA', 'EMA', 'BOLL', 'VOL', 'MACD', 'RSI', 'KDJ'] as const;
export type Indicator = (typeof INDICATORS)[number];

/** An own order, drawn as a line at its price. */
export interface OrderLine {
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** Such as `Buy 0.25`. */
  readonly label: string;
  /** Whether it can be dragged to another price. */
  readonly isMovable: boolean;
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
  readonly series: readonly string[];
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
export type SummaryListener = (bar: Bar) => void;

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
  setIndicators(indicators: readonly Indicator[]): void;
  setCandleStyle(style: CandleStyle): void;
  /** Drawn as they are, except while one of them is dragged. */
  setOrderLines(lines: readonly OrderLine[]): void;
  /** Escape while a line is dragged leaves it where it was. */
  onMove(listener: MoveListener): void;
  setTheme(theme: ChartTheme): void;
  setNumberFormat(format: (value: string) => string): void;
  onSummary(listener: SummaryListener): void;
  onLoad(listener: LoadListener): void;
  scrollBy(bars: number): void;
  zoomBy(factor: number): void;
  scrollToNow(): void;
  resize(): void;
  dispose(): void;
}
