/** How a person likes the chart: remembered on this device under the key of the trading view. */
import { create } from 'zustand';
import { stored } from '../storage/stored.ts';
import { CANDLE_STYLES, INDICATORS } from './chart-port.ts';
import { INTERVALS } from '../feed/bars.ts';
import type { CandleStyle, Indicator } from './chart-port.ts';
import type { Interval } from '../feed/bars.ts';

export interface ChartSettings {
  readonly interval: Interval;
  readonly style: CandleStyle;
  readonly indicators: readonly Indicator[];
}

const DEFAULTS: ChartSettings = { interval: '15m', style: 'candles', indicators: ['EMA', 'VOL'] };

function parse(json: unknown): ChartSettings | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { interval, style, indicators }: { interval?: unknown; style?: unknown; indicators?: unknown } = json;
  if (!Array.isArray(indicators)) return undefined;
  return {
    interval: INTERVALS.find((known) => known === interval) ?? DEFAULTS.interval,
    style: CANDLE_STYLES.find((known) => known === style) ?? DEFAULTS.style,
    indicators: INDICATORS.filter((known) => indicators.includes(known)),
  };
}

const remembered = stored<ChartSettings>({ name: 'tradingViewSettings', version: 1, fallback: DEFAULTS, parse });

interface ChartSettingsStore extends ChartSettings {
  readonly set: (change: Partial<ChartSettings>) => void;
}

export const useChartSettings = create<ChartSettingsStore>()((change, now) => ({
  ...remembered.read(),
  set(part) {
    change(part);
    const { interval, style, indicators } = now();
    remembered.write({ interval, style, indicators });
  },
}));

/** The menu's order is kept, whatever order they were switched on in. */
export function toggled(indicators: readonly Indicator[], indicator: Indicator): readonly Indicator[] {
  return INDICATORS.filter((known) => (known === indicator ? !indicators.includes(known) : indicators.includes(known)));
}
