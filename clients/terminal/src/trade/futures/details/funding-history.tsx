/** The funding rates that were settled in a contract, as a curve and as a table, beside the one that is predicted. */
import type { FundingRateRecord } from '@orrery/api';
import { useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { ask } from '../../../platform/data/calls.ts';
import { useReading } from '../../../platform/data/use-data.ts';
import { formatCountdown } from '../../../kit/format/time.ts';
import { UNKNOWN } from '../../../kit/format/number-format.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { FailedState } from '../../../kit/ui/empty-state.tsx';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Segmented } from '../../../kit/ui/radio-group.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { serverClock, useServerNow } from '../../../platform/client/server-clock.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { useChoiceInUrl } from '../../../kit/ui/in-url.ts';
import { useContract, useFunding } from '../../../market/use-contracts.ts';
import { ratePercent, rateStyle } from '../../../kit/format/rate.ts';
import { fundingFigures, yearlyPercent } from './funding-figures.ts';
import { known } from '../../../kit/ui/loaded.ts';

const CurveChart = lazyPart(async () => (await import('../../../market/chart/curve-chart.tsx')).CurveChart);

const DAY_MS = 86_400_000;
const RANGES = ['1d', '7d', '30d'] as const;
type Range = (typeof RANGES)[number];
const DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const satisfies Record<Range, number>;
/** Of one call. */
const PAGE = 100;
const POLL_MS = 60_000;
/** Rows of the table: the curve has them all. */
const LISTED = 24;

/** Newest first, as far back as the range goes before now. */
async function readRates(symbol: string, range: Range): Promise<readonly FundingRateRecord[]> {
  const since = serverClock.now() - DAYS[range] * DAY_MS;
  const rates: FundingRateRecord[] = [];
  for (let id: string | undefined; ;) {
    const query = { symbol, limit: PAGE, ...(id !== undefined && { id }) };
    const { items, next } = await ask('fundingRateRecord', { query, ignoreToken: true });
    rates.push(...items.filter(({ createdTime }) => createdTime >= since));
    if (next === null || (items.at(-1)?.createdTime ?? 0) < since) return rates;
    id = next;
  }
}

function useRates(range: Range) {
  const { wire } = useContract();
  return useReading({
    key: ['fundingRateRecord', wire, range],
    load: () => readRates(wire, range),
    of: 'everybody',
    staleMs: POLL_MS,
    pollMs: POLL_MS,
  });
}

/** A rate in per cent with its sign: above zero longs pay. */
function usePercent(): (percent: string | undefined, decimals?: number) => string {
  const format = useFormat();
  return (percent, decimals) =>
    percent === undefined
      ? UNKNOWN
      : `${format.number(percent, { ...rateStyle(percent), ...(decimals !== undefined && { decimals }), sign: 'always' })}%`;
}

function Curve({ rates }: { readonly rates: readonly FundingRateRecord[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const [hovered, setHovered] = useState<number>();
  const points = useMemo(
    () => rates.toReversed().map(({ createdTime, fundingRate }) => ({ time: createdTime, value: Number(ratePercent(fundingRate)) })),
    [rates],
  );
  const look = useSettings(({ theme, palette, direction }) => `${theme} ${palette} ${direction}`);
  // Points are oldest first, rates newest first.
  const shown = rates[rates.length - 1 - (hovered ?? rates.length - 1)];
  const newest = rates[0];
  const label = text('contract.funding.chartLabel', {
    count: rates.length,
    from: format.time(points[0]?.time ?? 0),
    to: format.time(newest?.createdTime ?? 0),
    last: percent(newest && ratePercent(newest.fundingRate)),
  });
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-medium">{percent(shown && ratePercent(shown.fundingRate))}</span>
        <span className="text-fg3">{shown === undefined ? '' : format.time(shown.createdTime)}</span>
      </p>
      <Panel loading={<Skeleton className="h-[232px] w-full" />}>
        <CurveChart
          key={look}
          points={points}
          tone="neutral"
          label={label}
          axisValue={(value) => `${value.toFixed(4)}%`}
          axisTime={(millis) => format.time(millis).slice(5, 16)}
          onHover={setHovered}
        />
      </Panel>
    </>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="text-md font-medium">{children}</dd>
    </div>
  );
}

function Figures({ rates }: { readonly rates: readonly FundingRateRecord[] | undefined }): ReactElement {
  const text = useText();
  const percent = usePercent();
  const now = useServerNow(1_000);
  const { info } = useContract();
  const funding = useFunding();
  const figures = rates && fundingFigures(rates, info.fundingInterval);
  const predicted = funding && ratePercent(funding.fundingRate);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 @[30rem]:grid-cols-3 @[52rem]:grid-cols-6">
      <Fact label={text('contract.funding.predicted')}>{percent(predicted)}</Fact>
      <Fact label={text('contract.funding.countdown')}>
        {funding === undefined ? UNKNOWN : formatCountdown(Math.max(0, funding.nextCollectionTime - now))}
      </Fact>
      <Fact label={text('contract.funding.predictedYearly')}>
        {percent(predicted && yearlyPercent(predicted, info.fundingInterval), 2)}
      </Fact>
      <Fact label={text('contract.funding.average')}>{percent(figures?.average)}</Fact>
      <Fact label={text('contract.funding.yearly')}>{percent(figures?.yearly, 2)}</Fact>
      <Fact label={text('contract.funding.sum')}>{percent(figures?.sum)}</Fact>
    </dl>
  );
}

function useColumns(): readonly Column<FundingRateRecord>[] {
  const text = useText();
  const format = useFormat();
  const percent = usePercent();
  const { pricePrecision, info } = useContract();
  return [
    { id: 'time', header: text('contract.funding.time'), cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span> },
    { id: 'rate', header: text('contract.funding.rate'), align: 'end', cell: (row) => percent(ratePercent(row.fundingRate)) },
    {
      id: 'yearly',
      header: text('contract.funding.perYear'),
      align: 'end',
      cell: (row) => percent(yearlyPercent(ratePercent(row.fundingRate), info.fundingInterval), 2),
    },
    {
      id: 'who',
      header: text('contract.funding.who'),
      cell: (row) => text(`contract.funding.pays.${Math.sign(Number(row.fundingRate)) as -1 | 0 | 1}`),
    },
    {
      id: 'price',
      header: text('contract.funding.price'),
      align: 'end',
      wideOnly: true,
      cell: (row) => format.number(row.price, { decimals: pricePrecision }),
    },
  ];
}

export function FundingHistory(): ReactElement {
  const text = useText();
  const [range, setRange] = useChoiceInUrl({ name: 'fundingRange', values: RANGES, usual: '7d' });
  const { value: rates, phase, retry } = useRates(range);
  const columns = useColumns();
  return (
    <div className="@container min-h-0 grow overflow-y-auto">
      <div className="flex flex-col gap-3 px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="text-md font-semibold">{text('contract.funding.title')}</h3>
          <Segmented
            size="small"
            label={text('contract.funding.range')}
            value={range}
            choices={RANGES.map((value) => ({ value, label: text(`contract.funding.range.${value}`) }))}
            onChange={setRange}
          />
        </div>
        <Figures rates={rates} />
        {rates === undefined && phase === 'failed' && <FailedState onRetry={retry} />}
        {rates === undefined && phase !== 'failed' && <Skeleton className="h-[232px] w-full" />}
        {rates !== undefined && rates.length < 2 && <p className="py-8 text-center text-md text-fg2">{text('contract.funding.empty')}</p>}
        {rates !== undefined && rates.length > 1 && <Curve rates={rates} />}
      </div>
      {rates !== undefined && rates.length > 0 && (
        <Table
          label={text('contract.funding.settled')}
          columns={columns}
          read={known(rates.slice(0, LISTED))}
          keyOf={({ id }) => id}
          empty={text('contract.funding.empty')}
        />
      )}
    </div>
  );
}
