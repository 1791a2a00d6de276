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

type Point = CallData['fundNav']['points'][number];

function usePercent(): (value: number | null | undefined) => string {
  const format = useFormat();
  return (value) => (value === null || value === undefined ? UNKNOWN : `${format.number(value.toFixed(2), { sign: 'always' })}%`);
}

interface ReadingProps {
  readonly points: readonly Point[];
  readonly curves: FundCurves;
  readonly measure: Measure;
  readonly hovered: number | undefined;
}

/** What is under the pointer; the newest without one. Each line has its name, and how it is drawn. */
function Reading({ points, curves, measure, hovered }: ReadingProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const at = Math.min(hovered ?? points.length - 1, points.length - 1);
  const isGrowth = measure === 'growth';
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span className="font-medium">
        {text('quanto.line.fund')} {percent(curves.fund[at])}
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
      <span className="text-fg2">{text('quanto.navAt', { nav: format.number(points[at]?.nav, { decimals: 6 }) })}</span>
      <span className="text-fg3">{format.time(points[at]?.time ?? 0)}</span>
    </p>
  );
}

function Plot({ points, measure }: { readonly points: readonly Point[]; readonly measure: Measure }): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const [hovered, setHovered] = useState<number>();
  const curves = useMemo(() => curvesOf(points, measure), [points, measure]);
  const drawn = useMemo(() => curves.times.map((time, index) => ({ time, value: curves.fund[index] ?? 0 })), [curves]);
  const beside = useMemo(
    () =>
      measure === 'drawdown'
        ? []
        : [
            ...(curves.btc === undefined ? [] : [{ values: curves.btc, dash: BTC_DASH }]),
            { values: curves.times.map(() => 0), dash: CASH_DASH },
          ],
    [curves, measure],
  );
  const look = useSettings(({ theme, palette, direction }) => `${theme} ${palette} ${direction}`);
  const label = text('quanto.chartLabel', {
    measure: text(`quanto.measure.${measure}`),
    from: format.time(curves.times[0] ?? 0),
    to: format.time(curves.times.at(-1) ?? 0),
    last: percent(curves.fund.at(-1)),
    lowest: percent(Math.min(...curves.fund)),
    btc: percent(curves.btc?.at(-1)),
  });
  return (
    <div className="px-4 pt-3 pb-2">
      <Reading points={points} curves={curves} measure={measure} hovered={hovered} />
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
        {({ points }) =>
          points.length < 2 ? (
            <p className="flex h-[260px] items-center justify-center px-6 text-center text-md text-fg2">{text('quanto.noCurve')}</p>
          ) : (
            <Plot points={points} measure={measure} />
          )
        }
      </LoadedPanel>
    </Section>
  );
}
