/** Interval and style of the candles as menus. */
import { ChartCandlestick, ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { INTERVALS } from '../../platform/feed/bars.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { Menu, MenuChoice, MenuSeparator } from '../../kit/ui/menu.tsx';
import { quiet, useInterval } from './chart-choice.ts';
import { CANDLE_STYLES, FILL_MARKS } from './chart-port.ts';
import { useChartSettings } from './chart-settings.ts';

/** On narrow screens the nine intervals are one menu. */
export function IntervalMenu(): ReactElement {
  const text = useText();
  const [interval, setInterval] = useInterval();
  const choices = INTERVALS.map((known) => ({ value: known, label: known }));
  return (
    <span className="hidden @max-[560px]:inline">
      <Menu
        trigger={
          <button type="button" aria-label={`${interval} ${text('trade.chart.interval')}`} className={classes(quiet, 'text-fg2')}>
            {interval}
            <ChevronDown size={13} aria-hidden="true" />
          </button>
        }
      >
        <MenuChoice label={text('trade.chart.interval')} value={interval} choices={choices} onChange={setInterval} />
      </Menu>
    </span>
  );
}

export function StyleMenu(): ReactElement {
  const text = useText();
  const { style, fillMarks, set } = useChartSettings();
  const marks = FILL_MARKS.map((known) => ({ value: known, label: text(`chart.fills.${known}`) }));
  const choices = CANDLE_STYLES.map((known) => ({ value: known, label: text(`trade.chart.style.${known}`) }));
  const trigger = (
    <button type="button" aria-label={text('trade.chart.style')} title={text('trade.chart.style')} className={classes(quiet, 'text-fg2')}>
      <ChartCandlestick size={14} aria-hidden="true" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuChoice label={text('trade.chart.style')} value={style} choices={choices} onChange={(known) => set({ style: known })} />
      <MenuSeparator />
      <MenuChoice label={text('chart.fills')} value={fillMarks} choices={marks} onChange={(known) => set({ fillMarks: known })} />
    </Menu>
  );
}
