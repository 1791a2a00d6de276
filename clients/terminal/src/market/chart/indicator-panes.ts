/** The indicators that are on: over the candles or in panes below them, which share the height. */
import type { Chart } from 'klinecharts';
import { hasVolume, isOverCandles, PARAMETERS, PRECISIONS } from './indicators.ts';
import type { Indicator } from './indicators.ts';

export const CANDLE_PANE = 'candle_pane';
/** Pixels above what a lower pane shows, for its legend. */
const LOWER_LEGEND_HEIGHT = 24;

export class IndicatorPanes {
  readonly #element: HTMLElement;
  readonly #chart: Chart;
  #wanted: readonly Indicator[] = [];
  #shown: readonly Indicator[] = [];

  constructor(element: HTMLElement, chart: Chart) {
    this.#element = element;
    this.#chart = chart;
  }

  set(wanted: readonly Indicator[]): void {
    this.#wanted = wanted;
    this.refresh();
  }

  /** Called when the bars have changed: whether they have volume may have changed with them. */
  refresh(): void {
    const isTraded = hasVolume(this.#chart.getDataList());
    const next = this.#wanted.filter((name) => name !== 'VOL' || isTraded);
    if (next.length === this.#shown.length && next.every((name, at) => name === this.#shown[at])) return;
    for (const name of this.#shown) if (!next.includes(name)) this.#chart.removeIndicator({ name });
    for (const name of next) if (!this.#shown.includes(name)) this.#create(name);
    this.#shown = next;
    this.size();
  }

  /** Lower panes share at most 45 % of the height, so that the candles stay the picture. */
  size(): void {
    const lower = this.#shown.filter((name) => !isOverCandles(name));
    if (lower.length === 0) return;
    const height = Math.max(48, Math.min(96, Math.floor((this.#element.clientHeight * 0.45) / lower.length)));
    for (const name of lower) {
      for (const { paneId } of this.#chart.getIndicators({ name })) {
        this.#chart.setPaneOptions({ id: paneId, height, minHeight: 40 });
        this.#chart.overrideYAxis({ paneId, gap: { top: LOWER_LEGEND_HEIGHT } });
      }
    }
  }

  #create(name: Indicator): void {
    const calcParams = PARAMETERS[name];
    const precision = PRECISIONS[name];
    const isStacked = isOverCandles(name);
    const create = {
      name,
      ...(calcParams !== undefined && { calcParams }),
      ...(precision !== undefined && { precision }),
      ...(isStacked && { paneId: CANDLE_PANE }),
    };
    this.#chart.createIndicator(create, isStacked);
  }
}
