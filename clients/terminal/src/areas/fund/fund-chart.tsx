/** How a fund has done, beside holding BTC and cash. */
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { CallData } from '@orrery/api';
import { useData } from '../../platform/data/use-data.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { curvesOf, measures } from './fund-curves.ts';
import type { FundCurves, Measure } from './fund-curves.ts';

const CurveChart = lazyPart(async () => (await import('../../market/chart/curve-chart.tsx')).CurveChart);

const ranges = ['1d', '7d', '30d', 'all'] as const;
const POLL_MS = 60_000;
const BTC_DASH = [6, 4] as const;
const CASH_DASH = [2, 3] as const;
const SIMULATED_DASH = [10, 4] as const;

type Nav = Pick<CallData['fundNav'], 'points' | 'simulated'>;

function usePercent(): (value: number | null | undefined) => string {
  const format = useFormat();
  return (value) => (value === null || value === undefined ? UNKNOWN : `${format.number(value.toFixed(2), { sign: 'always' })}%`);
}

interface ReadingProps {
  readonly nav: Nav;
  readonly curves: FundCurves;
  readonly measure: Measure;
  readonly hovered: number | undefined;
}

/** What is under the pointer; the newest without one. Each line has its name, and how it is drawn. */
function Reading({ nav, curves, measure, hovered }: ReadingProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const last = curves.times.length - 1;
  const at = Math.min(hovered ?? last, last);
  const isGrowth = measure === 'growth';
  // The simulated ones stand before those of the fund.
  const point = nav.points[at - (last + 1 - nav.points.length)];
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span className="font-medium">
        {point === undefined
          ? `${text('quanto.line.simulated')} ${percent(curves.simulated?.[at])}`
          : `${text('quanto.line.fund')} ${percent(curves.fund[at])}`}
      </span>
      {isGrowth && (
        <span className="text-fg2">
          {text('quanto.line.btc')} {percent(curves.btc?.[at])}
        </span>
      )}
      {isGrowth && (
        <span className="text-fg2">
          {text('quanto.line.cash')} {percent(0)}
        </span>
      )}
      {point !== undefined && <span className="text-fg2">{text('quanto.navAt', { nav: format.number(point.nav, { decimals: 6 }) })}</span>}
      <span className="text-fg3">{format.time(curves.times[at] ?? 0)}</span>
    </p>
  );
}

function Plot({ nav, measure }: { readonly nav: Nav; readonly measure: Measure }): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const [hovered, setHovered] = useState<number>();
  const curves = useMemo(() => curvesOf(nav, measure), [nav, measure]);
  const drawn = useMemo(() => curves.times.map((time, index) => ({ time, value: curves.fund[index] ?? null })), [curves]);
  const beside = useMemo(
    () =>
      measure === 'drawdown'
        ? []
        : [
            ...(curves.btc === undefined ? [] : [{ values: curves.btc, dash: BTC_DASH }]),
            { values: curves.times.map(() => 0), dash: CASH_DASH },
            ...(curves.simulated === undefined ? [] : [{ values: curves.simulated, dash: SIMULATED_DASH, isOfCurve: true }]),
          ],
    [curves, measure],
  );
  const look = useSettings(({ theme, palette, direction }) => `${theme} ${palette} ${direction}`);
  const began = format.time(nav.points[0]?.time ?? 0);
  const own = text('quanto.chartLabel', {
    measure: text(`quanto.measure.${measure}`),
    from: began,
    to: format.time(curves.times.at(-1) ?? 0),
    last: percent(curves.fund.at(-1)),
    lowest: percent(Math.min(...curves.fund.filter((value) => value !== null))),
    btc: percent(curves.btc?.at(-1)),
  });
  const simulated =
    curves.simulated === undefined
      ? undefined
      : text('quanto.simulatedLabel', { from: format.time(curves.times[0] ?? 0), first: percent(curves.simulated[0]) });
  const label = simulated === undefined ? own : `${own}. ${simulated}`;
  return (
    <div className="px-4 pt-3 pb-2">
      <Reading nav={nav} curves={curves} measure={measure} hovered={hovered} />
      <Panel loading={<Skeleton className="h-[232px] w-full" />}>
        <CurveChart
          key={look}
          points={drawn}
          beside={beside}
          tone="neutral"
          label={label}
          axisValue={(value) => `${format.number(value.toFixed(2))}%`}
          axisTime={(millis) => format.time(millis).slice(5, 16)}
          onHover={setHovered}
        />
      </Panel>
      {simulated !== undefined && <p className="pt-1 text-sm text-pretty text-fg2">{text('quanto.simulated', { began })}</p>}
    </div>
  );
}

export function FundChart({ fundId }: { readonly fundId: string }): ReactElement {
  const text = useText();
  const [range, setRange] = useChoiceInUrl({ name: 'navRange', values: ranges, usual: '7d' });
  const [measure, setMeasure] = useChoiceInUrl({ name: 'navMeasure', values: measures, usual: 'growth' });
  const read = useData({ name: 'fundNav', input: { query: { fundId, range } }, of: 'everybody', pollMs: POLL_MS });
  const choices = (
    <div className="flex flex-wrap gap-2">
      <Segmented
        size="small"
        label={text('quanto.measure')}
        value={measure}
        choices={measures.map((value) => ({ value, label: text(`quanto.measure.${value}`) }))}
        onChange={setMeasure}
      />
      <Segmented
        size="small"
        label={text('quanto.range')}
        value={range}
        choices={ranges.map((value) => ({ value, label: text(`quanto.range.${value}`) }))}
        onChange={setRange}
      />
    </div>
  );
  return (
    <Section title={text('quanto.performance')} aside={choices}>
      <LoadedPanel read={read} loading={<Skeleton className="m-4 h-[232px]" />}>
        {(nav) =>
          nav.points.length + (measure === 'growth' ? nav.simulated.length : 0) < 2 ? (
            <p className="flex h-[260px] items-center justify-center px-6 text-center text-md text-fg2">{text('quanto.noCurve')}</p>
          ) : (
            <Plot nav={nav} measure={measure} />
          )
        }
      </LoadedPanel>
    </Section>
  );
}
