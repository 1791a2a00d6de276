/** Interval, indicators, candle style and tools of the chart. */
import { ChartNoAxesCombined, PencilRuler } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { Popover } from '../../kit/ui/popover.tsx';
import { RadioGroup } from '../../kit/ui/radio-group.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { INTERVALS } from '../../platform/feed/bars.ts';
import { quiet, useInterval } from './chart-choice.ts';
import { useDrawingTools } from './chart-settings.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Panel } from '../../kit/ui/panel.tsx';

const IntervalMenu = lazyPart(async () => (await import('./chart-menus.tsx')).IntervalMenu);
const StyleMenu = lazyPart(async () => (await import('./chart-menus.tsx')).StyleMenu);
const IndicatorList = lazyPart(async () => (await import('./indicator-list.tsx')).IndicatorList);

function Intervals(): ReactElement {
  const text = useText();
  const [interval, setInterval] = useInterval();
  return (
    <RadioGroup
      label={text('trade.chart.interval')}
      value={interval}
      choices={INTERVALS.map((known) => ({ value: known, label: known }))}
      onChange={setInterval}
      className="flex items-center @max-[560px]:hidden"
      itemClassName={(_known, state) => classes(quiet, state === 'chosen' ? 'bg-raised text-fg' : 'text-fg3')}
    />
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
      <Panel room="line" loading={<Spinner className="m-8" />}>
        <IndicatorList />
      </Panel>
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

export function ChartToolbar(): ReactElement {
  return (
    <>
      <Intervals />
      <Panel room="line" loading={<span className="h-6 w-7 @max-[560px]:w-11" />}>
        <IntervalMenu />
        <StyleMenu />
      </Panel>
      <IndicatorButton />
      <ToolsButton />
    </>
  );
}
