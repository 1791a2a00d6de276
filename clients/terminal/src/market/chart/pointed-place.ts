/** Where on the chart somebody points, by mouse or by keys, in prices and bars. */
import type { Chart, Crosshair } from 'klinecharts';
import type { ChartPlace, ChartView } from './chart-port.ts';
import { CANDLE_PANE } from './indicator-panes.ts';

/** @param y CSS pixels from the top of the candles. @returns `undefined` below them. */
export function placeAt(chart: Chart, y: number): ChartPlace | undefined {
  const size = chart.getSize(CANDLE_PANE, 'main');
  if (size === null || y < 0 || y > size.height) return undefined;
  const points = chart.convertFromPixel([{ x: 0, y }], { paneId: CANDLE_PANE });
  const value = Array.isArray(points) ? points[0]?.value : undefined;
  if (value === undefined || !(value > 0)) return undefined;
  const precision = chart.getSymbol()?.pricePrecision ?? 2;
  return { price: value.toFixed(precision), y, last: chart.getDataList().at(-1)?.close };
}

export const placeOf = (chart: Chart, { paneId, y }: Crosshair): ChartPlace | undefined =>
  paneId === CANDLE_PANE && y !== undefined ? placeAt(chart, y) : undefined;

/** Puts the crosshair on a bar, which is scrolled into view. */
export function pointAt(chart: Chart, index: number): void {
  const bar = chart.getDataList()[index];
  if (bar === undefined) return;
  const { from, to } = chart.getVisibleRange();
  if (index < from || index >= to) chart.scrollToDataIndex(index);
  const place = chart.convertToPixel([{ dataIndex: index, value: bar.close }], { paneId: CANDLE_PANE });
  const [at] = Array.isArray(place) ? place : [place];
  if (at?.x !== undefined && at.y !== undefined) chart.executeAction('onCrosshairChange', { x: at.x, y: at.y, paneId: CANDLE_PANE });
}

export function viewOf(chart: Chart): ChartView {
  const bars = chart.getDataList();
  const { to } = chart.getVisibleRange();
  const isAtEnd = to >= bars.length;
  return { barWidth: chart.getBarSpace().bar, lastTime: isAtEnd ? undefined : bars[to - 1]?.timestamp };
}

/** A place that the loaded bars do not reach is left for the newest one. */
export function restoreView(chart: Chart, { barWidth, lastTime }: ChartView): void {
  chart.setBarSpace(barWidth);
  const first = chart.getDataList()[0]?.timestamp;
  if (lastTime !== undefined && first !== undefined && lastTime > first) chart.scrollToTimestamp(lastTime);
}
