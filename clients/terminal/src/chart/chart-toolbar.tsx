/** Interval, indicators and candle style of the chart. */
import { ChartCandlestick, ChartNoAxesCombined, Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from '../ui/classes.ts';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { CANDLE_STYLES, INDICATORS } from './chart-port.ts';
import { INTERVALS } from '../feed/bars.ts';
import { toggled, useChartSettings } from './chart-settings.ts';

const quiet = 'flex h-6 shrink-0 items-center gap-1 rounded-sm px-1.5 text-sm font-medium hover:bg-hover hover:text-fg';

function Intervals(): ReactElement {
  const text = useText();
  const { interval, set } = useChartSettings();
  return (
    <div role="radiogroup" aria-label={text('trade.chart.interval')} className="flex items-center max-laptop:hidden">
      {INTERVALS.map((known) => (
        <button
          key={known}
          type="button"
          role="radio"
          aria-checked={known === interval}
          onClick={() => set({ interval: known })}
          className={classes(quiet, known === interval ? 'bg-raised text-fg' : 'text-fg3')}
        >
          {known}
        </button>
      ))}
    </div>
  );
}

/** On narrow screens the nine intervals are one menu. */
function IntervalMenu(): ReactElement {
  const text = useText();
  const { interval, set } = useChartSettings();
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
        <MenuChoice
          label={text('trade.chart.interval')}
          value={interval}
          choices={choices}
          onChange={(known) => set({ interval: known })}
        />
      </Menu>
    </span>
  );
}

function IndicatorMenu(): ReactElement {
  const text = useText();
  const { indicators, set } = useChartSettings();
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
    <Menu trigger={trigger}>
      {INDICATORS.map((name) => (
        <DropdownMenu.CheckboxItem
          key={name}
          checked={indicators.includes(name)}
          onCheckedChange={() => set({ indicators: toggled(indicators, name) })}
          onSelect={(event) => event.preventDefault()}
          className="flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-md text-fg outline-none select-none data-[highlighted]:bg-hover"
        >
          <span className="w-12 font-medium">{name}</span>
          <span className="grow text-fg2">{text(`trade.chart.name.${name}`)}</span>
          <DropdownMenu.ItemIndicator>
            <Check size={14} />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.CheckboxItem>
      ))}
    </Menu>
  );
}

function StyleMenu(): ReactElement {
  const text = useText();
  const { style, set } = useChartSettings();
  const choices = CANDLE_STYLES.map((known) => ({ value: known, label: text(`trade.chart.style.${known}`) }));
  const trigger = (
    <button type="button" aria-label={text('trade.chart.style')} title={text('trade.chart.style')} className={classes(quiet, 'text-fg2')}>
      <ChartCandlestick size={14} aria-hidden="true" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuChoice label={text('trade.chart.style')} value={style} choices={choices} onChange={(known) => set({ style: known })} />
    </Menu>
  );
}

export function ChartToolbar(): ReactElement {
  return (
    <>
      <Intervals />
      <IntervalMenu />
      <StyleMenu />
      <IndicatorMenu />
    </>
  );
}
