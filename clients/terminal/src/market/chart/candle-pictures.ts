/** Pictures of the candles that klinecharts has none for, drawn over its own invisible ones: a line about a baseline, and Heikin-Ashi. */
import type { IndicatorDrawParams, IndicatorTemplate, KLineData, XAxis, YAxis } from 'klinecharts';
import type { ChartTheme } from './chart-port.ts';
import { heikinAshi } from './heikin-ashi.ts';
import type { Candle } from './heikin-ashi.ts';
import { translucent } from './translucent.ts';

export const BASELINE = 'orreryBaseline';
export const HEIKIN_ASHI = 'orreryHeikinAshi';

/** The colours of the moment, and nothing else. */
export type PictureLook = Pick<ChartTheme, 'up' | 'down' | 'label'>;

/** No words of its own: the legend of the bars stands above it. */
const WORDLESS = { createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }) } as const;

type Picture<Data> = IndicatorDrawParams<Data, unknown, PictureLook>;

/** The bars in view and one beside them at each end, so that lines run out of the picture. */
function inView<Data>({ chart, indicator }: Picture<Data>): readonly (readonly [index: number, data: Data])[] {
  const { from, to } = chart.getVisibleRange();
  const first = Math.max(0, from - 1);
  return indicator.result.slice(first, to + 1).map((data, at) => [first + at, data] as const);
}

interface Close {
  readonly close: number;
}

/** Above the close of the first bar in view the area has the colour of up, below it that of down. */
function drawBaseline(picture: Picture<Close>): boolean {
  const { ctx, indicator, bounding, xAxis, yAxis } = picture;
  const closes = inView(picture);
  const [first] = closes;
  if (first === undefined) return true;
  const base = yAxis.convertToPixel(first[1].close);
  const points = closes.map(([index, { close }]) => ({ x: xAxis.convertToPixel(index), y: yAxis.convertToPixel(close) }));
  const { up, down, label } = indicator.extendData;
  for (const [color, top, height] of [
    [up, 0, base],
    [down, base, bounding.height - base],
  ] as const) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, top, bounding.width, Math.max(0, height));
    ctx.clip();
    fillToBase(ctx, points, { base, color });
    ctx.restore();
  }
  ctx.strokeStyle = label;
  ctx.setLineDash([3, 3]);
  ctx.beginPath();
  ctx.moveTo(0, Math.round(base) + 0.5);
  ctx.lineTo(bounding.width, Math.round(base) + 0.5);
  ctx.stroke();
  return true;
}

interface Area {
  /** Pixels from the top. */
  readonly base: number;
  readonly color: string;
}

function fillToBase(ctx: CanvasRenderingContext2D, points: readonly { x: number; y: number }[], { base, color }: Area): void {
  ctx.beginPath();
  for (const { x, y } of points) ctx.lineTo(x, y);
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  // The line drawn before may have been a dashed one.
  ctx.setLineDash([]);
  ctx.stroke();
  ctx.lineTo(points.at(-1)?.x ?? 0, base);
  ctx.lineTo(points[0]?.x ?? 0, base);
  ctx.closePath();
  ctx.fillStyle = translucent(color, 0.12);
  ctx.fill();
}

function drawHeikinAshi(picture: Picture<Candle>): boolean {
  const { ctx, chart, indicator, xAxis, yAxis } = picture;
  const { up, down, label } = indicator.extendData;
  const half = Math.max(0.5, Math.floor(chart.getBarSpace().halfGapBar));
  for (const [index, candle] of inView(picture)) {
    ctx.fillStyle = candle.close > candle.open ? up : candle.close < candle.open ? down : label;
    fillCandle(ctx, candle, { xAxis, yAxis, index, half });
  }
  return true;
}

interface CandlePlace {
  readonly xAxis: XAxis;
  readonly yAxis: YAxis;
  readonly index: number;
  /** Half of the body's width, pixels. */
  readonly half: number;
}

function fillCandle(ctx: CanvasRenderingContext2D, candle: Candle, { xAxis, yAxis, index, half }: CandlePlace): void {
  const x = Math.round(xAxis.convertToPixel(index));
  const [high, low] = [candle.high, candle.low].map((price) => yAxis.convertToPixel(price)) as [number, number];
  const [top, bottom] = [Math.max(candle.open, candle.close), Math.min(candle.open, candle.close)].map((price) =>
    Math.round(yAxis.convertToPixel(price)),
  ) as [number, number];
  ctx.fillRect(x, high, 1, Math.max(1, low - high));
  ctx.fillRect(x - half, top, 2 * half + 1, Math.max(1, bottom - top));
}

export const baselinePicture: IndicatorTemplate<Close, unknown, PictureLook> = {
  name: BASELINE,
  series: 'price',
  ...WORDLESS,
  calc: (bars: readonly KLineData[]) => bars.map(({ close }) => ({ close })),
  draw: drawBaseline,
};

export const heikinAshiPicture: IndicatorTemplate<Candle, unknown, PictureLook> = {
  name: HEIKIN_ASHI,
  series: 'price',
  ...WORDLESS,
  // The axis makes room for what these hold.
  figures: [{ key: 'high' }, { key: 'low' }],
  calc: (bars: readonly KLineData[]) => [...heikinAshi(bars)],
  draw: drawHeikinAshi,
};
