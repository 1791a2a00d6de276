/** The chart of the account and market in view, as the person left it; each change is remembered on this device. */
import { useEffect, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { useOwner } from '../../platform/session/owner.ts';
import { parseBoolean } from '../../kit/storage/parse.ts';
import { stored } from '../../kit/storage/stored.ts';
import { chartKey, followCharts, readChart, writeChart } from './chart-memory.ts';
import type { ChartMemory } from './chart-memory.ts';

const KEPT = ['interval', 'style', 'indicators', 'fillMarks', 'drawings'] as const satisfies readonly (keyof ChartMemory)[];

const isSameChart = (left: ChartMemory, right: ChartMemory): boolean =>
  KEPT.every((name) => JSON.stringify(left[name]) === JSON.stringify(right[name]));

interface ChartSettingsStore extends ChartMemory {
  /** Which account and market it is of. */
  readonly key: string;
  readonly open: (key: string) => void;
  readonly set: (change: Partial<ChartMemory>) => void;
}

export const useChartSettings = create<ChartSettingsStore>()((change, now) => ({
  key: '',
  ...readChart(''),
  open: (key) => change({ key, ...readChart(key) }),
  set(part) {
    change(part);
    const { key, interval, style, indicators, fillMarks, drawings, view } = now();
    writeChart(key, { interval, style, indicators, fillMarks, drawings, view });
  },
}));

/** Keeps the settings on the chart of the signed-in account and this market. */
export function useChartOf(symbol: string): void {
  const key = chartKey({ owner: useOwner(), symbol });
  useLayoutEffect(() => {
    if (useChartSettings.getState().key !== key) useChartSettings.getState().open(key);
  }, [key]);
  useEffect(() => followCharts(takeOver), []);
}

/** Where a chart was scrolled to is each tab's own; what was chosen and drawn is of all of them. */
function takeOver(): void {
  const now = useChartSettings.getState();
  const other = { ...readChart(now.key), view: now.view };
  if (!isSameChart(now, other)) useChartSettings.setState(other);
}

const toolsShown = stored<boolean>({ name: 'chartToolsShown', version: 1, fallback: false, parse: parseBoolean });

interface DrawingTools {
  readonly isShown: boolean;
  readonly toggle: () => void;
}

/** Whether the tools for drawing stand beside the chart. */
export const useDrawingTools = create<DrawingTools>()((change, now) => ({
  isShown: toolsShown.read(),
  toggle() {
    toolsShown.write(!now().isShown);
    change({ isShown: !now().isShown });
  },
}));
