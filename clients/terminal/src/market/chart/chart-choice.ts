/** What the controls over the chart share. */
import type { Interval } from '../../platform/feed/bars.ts';
import { useChartSettings } from './chart-settings.ts';

/** A control of the toolbar. */
export const quiet = 'flex h-6 shrink-0 items-center gap-1 rounded-sm px-1.5 text-sm font-medium hover:bg-hover hover:text-fg';

/** At another interval the newest bar is shown again. */
export function useInterval(): readonly [Interval, (interval: Interval) => void] {
  const { interval, view, set } = useChartSettings();
  return [interval, (next) => set({ interval: next, view: view && { ...view, lastTime: undefined } })];
}
