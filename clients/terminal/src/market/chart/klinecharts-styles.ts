/** The terminal's look, in the words of klinecharts. */
import type { CandleType, DeepPartial, KLineData, NeighborData, Styles, TooltipLegend } from 'klinecharts';
import type { CandleStyle, ChartTheme } from './chart-port.ts';
import { distanceText } from './distance.ts';
import { translucent } from './translucent.ts';

const CANDLE_TYPES = {
  candles: 'candle_solid',
  hollow: 'candle_up_stroke',
  bars: 'ohlc',
  line: 'area',
  // Their pictures are drawn over an invisible area.
  baseline: 'area',
  heikinAshi: 'area',
} as const satisfies Record<CandleStyle, CandleType>;

function markText(theme: ChartTheme) {
  return {
    family: theme.fontFamily,
    size: 12,
    weight: 500,
    color: theme.ink,
    borderRadius: 2,
    paddingLeft: 4,
    paddingRight: 4,
    paddingTop: 3,
    paddingBottom: 3,
  };
}

/** Whether a style has a picture of its own, see `candle-pictures.ts`. */
export const isDrawnApart = (style: CandleStyle): style is 'baseline' | 'heikinAshi' => style === 'baseline' || style === 'heikinAshi';

const invisibleArea = { lineColor: 'transparent', backgroundColor: 'transparent', point: { show: false } };

const area = (theme: ChartTheme) => ({
  lineSize: 1.5,
  lineColor: theme.text,
  smooth: false,
  backgroundColor: [
    { offset: 0, color: translucent(theme.text, 0.01) },
    { offset: 1, color: translucent(theme.text, 0.1) },
  ],
  point: { show: true, color: theme.text, rippleColor: translucent(theme.text, 0.2), animation: false },
});

function candle(theme: ChartTheme, style: CandleStyle, length: Legend): DeepPartial<Styles>['candle'] & object {
  const font = { family: theme.fontFamily, size: 12, weight: 400 };
  const { up, down } = theme;
  const highLow = { color: theme.label, textFamily: theme.fontFamily, textSize: 10 };
  return {
    type: CANDLE_TYPES[style],
    bar: {
      upColor: up,
      downColor: down,
      noChangeColor: theme.label,
      upBorderColor: up,
      downBorderColor: down,
      noChangeBorderColor: theme.label,
      upWickColor: up,
      downWickColor: down,
      noChangeWickColor: theme.label,
    },
    area: isDrawnApart(style) ? invisibleArea : area(theme),
    priceMark: {
      high: highLow,
      low: highLow,
      last: { upColor: up, downColor: down, noChangeColor: theme.label, text: { ...markText(theme) } },
    },
    tooltip: {
      showRule: 'always',
      offsetLeft: 4,
      offsetTop: 4,
      title: { show: false },
      legend: {
        ...font,
        color: theme.label,
        marginLeft: 6,
        marginRight: 2,
        marginTop: 4,
        marginBottom: 2,
        template: ({ prev, current }: NeighborData<KLineData | null>) => {
          const lines = legend(prev, current, theme);
          return length === 'whole' ? lines : lines.slice(0, PRICES);
        },
      },
    },
  };
}

/** Of a bar: open, high, low and close. */
const PRICES = 4;

/** Open, high, low, close in the bar's own direction, and how far it moved. The axis shows the time under the crosshair. */
function legend(previous: KLineData | null, bar: KLineData | null, theme: ChartTheme): TooltipLegend[] {
  const color = bar === null || bar.close === bar.open ? theme.label : bar.close > bar.open ? theme.up : theme.down;
  const figure = (title: string, text: string): TooltipLegend => ({ title: { text: title, color: theme.label }, value: { text, color } });
  const change = bar === null || previous === null ? undefined : distanceText(bar.close, previous.close);
  return [
    figure('O ', '{open}'),
    figure('H ', '{high}'),
    figure('L ', '{low}'),
    figure('C ', '{close}'),
    ...(change === undefined ? [] : [figure('', change)]),
  ];
}

function axis(theme: ChartTheme) {
  return {
    axisLine: { color: theme.line },
    tickLine: { show: false },
    tickText: { color: theme.label, family: theme.fontFamily, size: 12, marginStart: 6, marginEnd: 8 },
  };
}

function crosshair(theme: ChartTheme): DeepPartial<Styles>['crosshair'] & object {
  const direction = {
    line: { color: theme.label, dashedValue: [3, 3] },
    text: { ...markText(theme), color: theme.background, backgroundColor: theme.text, borderColor: theme.text, borderSize: 0 },
  };
  return { horizontal: direction, vertical: direction };
}

const dashed = (pattern: readonly number[] = []): { style: 'solid' | 'dashed'; dashedValue: number[] } => ({
  style: pattern.length === 0 ? 'solid' : 'dashed',
  dashedValue: [...pattern],
});

/** What is drawn by hand is in the colour of text: it is neither direction nor risk. */
function drawing(theme: ChartTheme): DeepPartial<Styles>['overlay'] & object {
  const color = theme.text;
  const point = { color: theme.background, borderColor: color, activeColor: color, activeBorderColor: translucent(color, 0.4) };
  return {
    point: { ...point, borderSize: 1.5, radius: 4, activeBorderSize: 3, activeRadius: 5 },
    line: { color, size: 1.5 },
    // On the axes, beside a drawing that is selected.
    rect: { color: translucent(color, 0.12) },
    polygon: { color: translucent(color, 0.12) },
    text: { ...markText(theme), color: theme.background, backgroundColor: color, borderSize: 0 },
  };
}

/** How much the line above the candles says: on a narrow chart the change would be a second line over the candles. */
export type Legend = 'whole' | 'short';

/** @param legend of the bar that is pointed at. */
export function klinechartsStyles(theme: ChartTheme, style: CandleStyle, legend: Legend): DeepPartial<Styles> {
  const font = { family: theme.fontFamily, size: 12, weight: 400 };
  const bar = { upColor: translucent(theme.up, 0.55), downColor: translucent(theme.down, 0.55), noChangeColor: theme.label };
  const grid = { color: theme.grid, style: 'solid' as const };
  return {
    grid: { horizontal: grid, vertical: grid },
    candle: candle(theme, style, legend),
    indicator: {
      ohlc: { upColor: theme.up, downColor: theme.down, noChangeColor: theme.label },
      bars: [bar],
      circles: [bar],
      lines: theme.series.map((color, at) => ({ size: 1, color, ...dashed(theme.dashes[at]) })),
      tooltip: {
        offsetLeft: 4,
        offsetTop: 4,
        title: { ...font, color: theme.label, marginLeft: 6, marginRight: 2, marginTop: 4, marginBottom: 2 },
        legend: { ...font, color: theme.label, marginLeft: 6, marginRight: 2, marginTop: 4, marginBottom: 2 },
      },
    },
    xAxis: axis(theme),
    yAxis: axis(theme),
    separator: { color: theme.line, activeBackgroundColor: theme.grid },
    crosshair: crosshair(theme),
    overlay: drawing(theme),
  };
}
