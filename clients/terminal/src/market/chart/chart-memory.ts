/** What a chart remembers of each account and market on this device: how it is shown, what was drawn on it, where it was left. */
import { INTERVALS } from '../../platform/feed/bars.ts';
import type { Interval } from '../../platform/feed/bars.ts';
import { followOtherTabs } from '../../kit/storage/other-tabs.ts';
import type { StorageEvents } from '../../kit/storage/other-tabs.ts';
import { stored } from '../../kit/storage/stored.ts';
import { CANDLE_STYLES, FILL_MARKS } from './chart-port.ts';
import type { CandleStyle, ChartView, FillMarks } from './chart-port.ts';
import { parseDrawings } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import { hasRoom, INDICATORS } from './indicators.ts';
import type { Indicator } from './indicators.ts';

export interface ChartMemory {
  readonly interval: Interval;
  readonly style: CandleStyle;
  readonly indicators: readonly Indicator[];
  readonly fillMarks: FillMarks;
  readonly drawings: readonly Drawing[];
  /** `undefined` shows the newest bars at the usual width. */
  readonly view: ChartView | undefined;
}

/** What a market that was never opened takes over from the one before. */
export type ChartTaste = Pick<ChartMemory, 'interval' | 'style' | 'indicators' | 'fillMarks'>;

const DEFAULTS: ChartTaste = { interval: '15m', style: 'candles', indicators: ['EMA', 'VOL'], fillMarks: 'all' };
/** Charts kept; those left longest ago give way. */
export const CHARTS_MAX = 40;

function parseTaste(json: object): ChartTaste {
  const { interval, style, indicators, fillMarks }: { interval?: unknown; style?: unknown; indicators?: unknown; fillMarks?: unknown } =
    json;
  const wanted: readonly unknown[] = Array.isArray(indicators) ? indicators : DEFAULTS.indicators;
  return {
    interval: INTERVALS.find((known) => known === interval) ?? DEFAULTS.interval,
    style: CANDLE_STYLES.find((known) => known === style) ?? DEFAULTS.style,
    indicators: INDICATORS.filter((known) => wanted.includes(known)).reduce<readonly Indicator[]>(
      (taken, next) => (hasRoom(taken, next) ? [...taken, next] : taken),
      [],
    ),
    fillMarks: FILL_MARKS.find((known) => known === fillMarks) ?? DEFAULTS.fillMarks,
  };
}

function parseView(json: unknown): ChartView | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { barWidth, lastTime }: { barWidth?: unknown; lastTime?: unknown } = json;
  if (typeof barWidth !== 'number' || !(barWidth > 0 && barWidth < 100)) return undefined;
  return { barWidth, lastTime: Number.isSafeInteger(lastTime) ? Number(lastTime) : undefined };
}

export function parseChart(json: unknown): ChartMemory | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { drawings, view }: { drawings?: unknown; view?: unknown } = json;
  return { ...parseTaste(json), drawings: parseDrawings(drawings), view: parseView(view) };
}

type Charts = Readonly<Record<string, ChartMemory>>;

function parseCharts(json: unknown): Charts | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const charts: Record<string, ChartMemory> = {};
  for (const [key, value] of Object.entries(json)) {
    const chart = parseChart(value);
    if (chart !== undefined) charts[key] = chart;
  }
  return charts;
}

/** With the one just changed last: the order is that of the last use. */
export function withChart(charts: Charts, key: string, chart: ChartMemory): Charts {
  const others = Object.entries(charts).filter(([other]) => other !== key);
  return Object.fromEntries([...others.slice(1 - CHARTS_MAX), [key, chart]]);
}

const taste = stored<ChartTaste>({
  name: 'tradingViewSettings',
  version: 1,
  fallback: DEFAULTS,
  parse: (json) => (typeof json === 'object' && json !== null ? parseTaste(json) : undefined),
});
const charts = stored<Charts>({ name: 'chartsByMarket', version: 1, fallback: {}, parse: parseCharts });

/** @param owner the account's address, or a name for people without one. */
export const chartKey = ({ owner, symbol }: { readonly owner: string; readonly symbol: string }): string => `${owner} ${symbol}`;

export function readChart(key: string): ChartMemory {
  const known = charts.read();
  return Object.hasOwn(known, key) && known[key] !== undefined ? known[key] : { ...taste.read(), drawings: [], view: undefined };
}

export function writeChart(key: string, chart: ChartMemory): void {
  charts.write(withChart(charts.read(), key, chart));
  const { interval, style, indicators, fillMarks } = chart;
  taste.write({ interval, style, indicators, fillMarks });
}

/** @param onChange called when a chart was changed in another tab. @returns stops following. */
export const followCharts = (onChange: () => void, events?: StorageEvents): (() => void) => followOtherTabs([charts], onChange, events);
