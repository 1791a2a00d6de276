/** What the account is worth, how that moved, and what was traded and paid meanwhile. */
import { useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Balance } from '@orrery/api';
import { useBalances } from '../balances/use-balances.ts';
import { wallets } from '../balances/wallets.ts';
import { compareDecimals, sumDecimals } from '../../kit/format/decimal.ts';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { AmountsEye } from '../balances/amounts-eye.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { Explained } from '../../kit/ui/tooltip.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { useFundsWorth } from './fund-shares.tsx';
import { curveOf, extremesOf, measures } from './curve.ts';
import type { Measure } from './curve.ts';
import type { CurveTone } from '../../market/chart/curve-chart.tsx';
import { changeOf, drawdownOf, lastDay, winRateOf } from './performance.ts';
import type { Change, Snapshot } from './performance.ts';
import { ranges, scopes, useHistory, useSummary } from './use-history.ts';
import type { Range, Scope } from './use-history.ts';
import { mapped } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const CurveChart = lazyPart(async () => (await import('../../market/chart/curve-chart.tsx')).CurveChart);

const isOfFutures = ({ balanceType }: Balance): boolean => wallets[balanceType].holds === 'contracts';

/**
 * What there is in scope: balances as they are now, shares of funds by their last valuation, and futures with what their open positions are worth, as they were recorded last. Coins without a price count for nothing, and their rows say so.
 */
function useTotal(scope: Scope, futures: readonly Snapshot[] | undefined): Loaded<string> {
  const funds = useFundsWorth();
  const balances = useBalances();
  if (scope === 'futures') return mapped(balances, (rows) => totalOf(rows, scope, futures));
  const { value } = funds;
  if (value === undefined) return funds;
  return mapped(balances, (rows) => sumDecimals([totalOf(rows, scope, futures), value]));
}

function totalOf(rows: readonly Balance[], scope: Scope, futures: readonly Snapshot[] | undefined): string {
  const worth = (counted: readonly Balance[]): string => sumDecimals(counted.map((row) => row.estimatedTotalAmount ?? '0'));
  const spot = worth(rows.filter((row) => !isOfFutures(row)));
  if (scope === 'spot') return spot;
  const contracts = futures?.at(-1)?.equity ?? worth(rows.filter(isOfFutures));
  return scope === 'futures' ? contracts : sumDecimals([spot, contracts]);
}

function directionOf(amount: string): CurveTone {
  const order = compareDecimals(amount, '0');
  return order === 0 ? 'neutral' : order > 0 ? 'up' : 'down';
}

const toneClass: Readonly<Record<CurveTone, string>> = { neutral: 'text-fg2', up: 'text-up', down: 'text-down' };

/** An amount with its sign, and what that is in percent. */
function ChangeText({ change }: { readonly change: Change | undefined }): ReactElement {
  const format = useFormat();
  if (change === undefined) return <span className="text-fg3">{UNKNOWN}</span>;
  return (
    <span className={toneClass[directionOf(change.amount)]}>
      {format.own(change.amount, { decimals: 2, sign: 'always' })}
      {change.percent !== undefined && ` (${format.number(change.percent, { sign: 'always' })}%)`}
    </span>
  );
}

function Head({ day, scope }: { readonly day: readonly Snapshot[]; readonly scope: Scope }): ReactElement {
  const text = useText();
  const format = useFormat();
  const total = useTotal(scope, useHistory('1d', 'futures').value);
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-1 text-sm text-fg3">
        {text('portfolio.total')} <AmountsEye />
      </p>
      <p className="text-2xl font-semibold tracking-[-0.02em]">
        {total.phase === 'loading' ? <Skeleton className="h-6 w-40" /> : format.ownFiat(total.value)}
      </p>
      <p className="mt-0.5 text-md">
        <ChangeText change={changeOf(day)} /> <span className="text-fg3">{text('portfolio.day')}</span>
      </p>
    </div>
  );
}

interface ChartProps {
  readonly snapshots: readonly Snapshot[];
  readonly measure: Measure;
  readonly onHover: (index: number | undefined) => void;
}

function Chart({ snapshots, measure, onHover }: ChartProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const curve = useMemo(() => curveOf(snapshots, measure), [snapshots, measure]);
  const points = useMemo(() => curve.times.map((time, at) => ({ time, value: Number(curve.values[at]) })), [curve]);
  const axisValue = (value: number): string => format.own(value.toFixed(2), { decimals: 0 });
  // The date and the minute: what is between two labels is hours or days.
  const axisTime = (millis: number): string => format.time(millis).slice(5, 16);
  const extremes = extremesOf(curve);
  const label = text('portfolio.chartLabel', {
    measure: text(`portfolio.measure.${measure}`),
    from: format.time(curve.times[0] ?? 0),
    to: format.time(curve.times.at(-1) ?? 0),
    first: format.ownFiat(curve.values[0]),
    last: format.ownFiat(curve.values.at(-1)),
    lowest: format.ownFiat(extremes?.lowest),
    highest: format.ownFiat(extremes?.highest),
  });
  // Other colours are another drawing.
  const look = useSettings(({ theme, palette, direction }) => `${theme} ${palette} ${direction}`);
  const tone = measure === 'gain' ? directionOf(curve.values.at(-1) ?? '0') : 'neutral';
  return (
    <Panel loading={<Skeleton className="h-[232px] w-full" />}>
      <CurveChart key={look} points={points} tone={tone} label={label} axisValue={axisValue} axisTime={axisTime} onHover={onHover} />
    </Panel>
  );
}

/** The value under the pointer; the newest without one. */
function Reading({
  snapshots,
  measure,
  hovered,
}: {
  readonly snapshots: readonly Snapshot[];
  readonly measure: Measure;
  readonly hovered: number | undefined;
}): ReactElement {
  const format = useFormat();
  const { times, values } = curveOf(snapshots, measure);
  const at = Math.min(hovered ?? times.length - 1, times.length - 1);
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-sm">
      <span className="font-medium">
        {format.own(values[at], { decimals: 2, ...(measure === 'gain' && { sign: 'always' as const }) })} USDC
      </span>
      <span className="text-fg3">{format.time(times[at] ?? 0)}</span>
    </p>
  );
}

function Plot({ history, measure }: { readonly history: Loaded<readonly Snapshot[]>; readonly measure: Measure }): ReactElement {
  const text = useText();
  const [hovered, setHovered] = useState<number>();
  return (
    <LoadedPanel read={history} loading={<Skeleton className="m-4 h-[232px]" />}>
      {(snapshots) =>
        snapshots.length < 2 ? (
          <p className="flex h-[260px] items-center justify-center px-6 text-center text-md text-fg2">{text('portfolio.noHistory')}</p>
        ) : (
          <div className="px-4 pt-3 pb-2">
            <Reading snapshots={snapshots} measure={measure} hovered={hovered} />
            <Chart snapshots={snapshots} measure={measure} onHover={setHovered} />
          </div>
        )
      }
    </LoadedPanel>
  );
}

function Fact({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="truncate text-md font-medium">{children}</dd>
    </div>
  );
}

interface FactsProps {
  readonly snapshots: readonly Snapshot[];
  readonly range: Range;
  readonly scope: Scope;
}

function Facts({ snapshots, range, scope }: FactsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const summary = useSummary(range, scope);
  const drawdown = drawdownOf(snapshots);
  const winRate = summary && winRateOf(summary);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line px-4 py-3 tablet:grid-cols-3 desktop:grid-cols-6">
      <Fact label={text('portfolio.gain')}>
        <ChangeText change={changeOf(snapshots)} />
      </Fact>
      <Fact label={text('portfolio.drawdown')}>{drawdown === undefined ? UNKNOWN : `${format.number(drawdown)}%`}</Fact>
      <Fact label={<Explained content={text('portfolio.winRateExplained')}>{text('portfolio.winRate')}</Explained>}>
        {winRate === undefined
          ? UNKNOWN
          : text('portfolio.winRateOf', {
              percent: format.number(winRate),
              won: summary?.wonPositions ?? 0,
              closed: summary?.closedPositions ?? 0,
            })}
      </Fact>
      <Fact label={text('portfolio.volume')}>{format.own(summary?.volume, { decimals: 2 })}</Fact>
      <Fact label={text('portfolio.trades')}>{summary === undefined ? UNKNOWN : format.own(String(summary.trades))}</Fact>
      <Fact label={text('portfolio.fees')}>{format.own(summary?.feesValue, { decimals: 2 })}</Fact>
    </dl>
  );
}

export interface OverviewProps {
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
}

export function Overview({ scope, onScope }: OverviewProps): ReactElement {
  const text = useText();
  const [range, setRange] = useChoiceInUrl({ name: 'range', values: ranges, usual: '7d' });
  const [measure, setMeasure] = useChoiceInUrl({ name: 'measure', values: measures, usual: 'equity' });
  const history = useHistory(range, scope);
  const day = useHistory('1d', scope);
  return (
    <section data-read aria-label={text('portfolio.overview')} className="mb-5 overflow-hidden rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-b border-line p-4">
        <Head day={lastDay(day.value ?? [])} scope={scope} />
        <div className="flex flex-wrap gap-2">
          <Segmented
            size="small"
            label={text('portfolio.scope')}
            value={scope}
            choices={scopes.map((value) => ({ value, label: text(`portfolio.scope.${value}`) }))}
            onChange={onScope}
          />
          <Segmented
            size="small"
            label={text('portfolio.measure')}
            value={measure}
            choices={measures.map((value) => ({ value, label: text(`portfolio.measure.${value}`) }))}
            onChange={setMeasure}
          />
          <Segmented
            size="small"
            label={text('portfolio.range')}
            value={range}
            choices={ranges.map((value) => ({ value, label: text(`portfolio.range.${value}`) }))}
            onChange={setRange}
          />
        </div>
      </div>
      <Plot history={history} measure={measure} />
      <Facts snapshots={history.value ?? []} range={range} scope={scope} />
    </section>
  );
}
