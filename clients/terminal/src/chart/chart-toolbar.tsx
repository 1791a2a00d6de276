/** Interval, indicators, candle style and tools of the chart. */
import { ChartCandlestick, ChartNoAxesCombined, ChevronDown, PencilRuler } from 'lucide-react';
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from '../ui/classes.ts';
import { Menu, MenuChoice, MenuSeparator } from '../ui/menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { CANDLE_STYLES, FILL_MARKS } from './chart-port.ts';
import { INTERVALS } from '../feed/bars.ts';
import type { Interval } from '../feed/bars.ts';
import { useChartSettings, useDrawingTools } from './chart-settings.ts';
import { lazyPart } from '../ui/lazy-part.ts';

const IndicatorList = lazyPart(async () => (await import('./indicator-list.tsx')).IndicatorList);

const quiet = 'flex h-6 shrink-0 items-center gap-1 rounded-sm px-1.5 text-sm font-medium hover:bg-hover hover:text-fg';

/** At another interval the newest bar is shown again. */
function useInterval(): readonly [Interval, (interval: Interval) => void] {
  const { interval, view, set } = useChartSettings();
  return [interval, (next) => set({ interval: next, view: view && { ...view, lastTime: undefined } })];
}

function Intervals(): ReactElement {
  const text = useText();
  const [interval, setInterval] = useInterval();
  return (
    <RadioGroup
      label={text('trade.chart.interval')}
      value={interval}
      choices={INTERVALS.map((known) => ({ value: known, label: known }))}
      onChange={setInterval}
      className="flex items-center max-laptop:hidden"
      itemClassName={(_known, state) => classes(quiet, state === 'chosen' ? 'bg-raised text-fg' : 'text-fg3')}
    />
  );
}

/** On narrow screens the nine intervals are one menu. */
function IntervalMenu(): ReactElement {
  const text = useText();
  const [interval, setInterval] = useInterval();
  const choices = INTERVALS.map((known) => ({ value: known, label: known }));
  return (
    <span className="laptop:hidden">
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

function IndicatorButton(): ReactElement {
  const text = useText();
  const trigger = (
    <button
      type="button"
      aria-label={text('trade.chart.indicators')}
      title={text('trade.chart.indicators')}
      className={classes(quiet, 'text-fg2')}
    >
      <ChartNoAxesCombined size={14} aria-hidden="true" />
      <span className="max-desktop:hidden">{text('trade.chart.indicators')}</span>
    </button>
  );
  return (
    <Popover trigger={trigger} label={text('trade.chart.indicators')} align="end">
      <Suspense fallback={<Spinner className="m-8" />}>
        <IndicatorList />
      </Suspense>
    </Popover>
  );
}

function ToolsButton(): ReactElement {
  const text = useText();
  const { isShown, toggle } = useDrawingTools();
  const label = text(isShown ? 'chart.tools.hide' : 'chart.tools.show');
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isShown}
      title={label}
      onClick={toggle}
      className={classes(quiet, isShown ? 'bg-raised text-fg' : 'text-fg2')}
    >
      <PencilRuler size={14} aria-hidden="true" />
    </button>
  );
}

function StyleMenu(): ReactElement {
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

export function ChartToolbar(): ReactElement {
  return (
    <>
      <Intervals />
      <IntervalMenu />
      <StyleMenu />
      <IndicatorButton />
      <ToolsButton />
    </>
  );
}
