/** `/insurance`: what the insurance fund has, how that moved, and by what. Everybody may see it. */
import type { CallData } from '@orrery/api';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { coinName } from '../balances/coin-name.ts';
import { ask } from '../../platform/data/calls.ts';
import { useCursorQuery } from '../../platform/data/cursor-query.ts';
import { useData } from '../../platform/data/use-data.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { CoinMark } from '../../kit/ui/coin-mark.tsx';
import type { Control } from '../../kit/ui/control.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const CurveChart = lazyPart(async () => (await import('../../market/chart/curve-chart.tsx')).CurveChart);

type Fund = CallData['riskBalance']['funds'][number];
type Change = CallData['riskBalance']['items'][number];

const POLL_MS = 15_000;
/** Changes of one page; the curve has those that were read. */
const PAGE = 100;

/** The value is the coin whose fund is shown. */
interface FundsProps extends Control<string> {
  readonly funds: readonly Fund[];
}

function Funds({ funds, value, onChange }: FundsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <ul aria-label={text('insurance.funds')} className="mb-5 grid gap-3 tablet:grid-cols-3">
      {funds.map(({ coin, amount, isSettlement }) => (
        <li key={coin}>
          <button
            type="button"
            aria-pressed={coin === value}
            onClick={() => onChange(coin)}
            className={classes(
              'flex w-full flex-col items-start rounded-md border bg-panel p-4 text-start hover:bg-hover',
              coin === value ? 'border-bone' : 'border-line',
            )}
          >
            <span className="flex items-center gap-2 text-md text-fg2">
              <CoinMark name={coinName(coin)} className="size-5 border-0" />
              {coinName(coin)}
            </span>
            <span className="text-xl font-semibold">{format.number(amount)}</span>
            <span className="text-sm text-fg3">{text(isSettlement ? 'insurance.settlement' : 'insurance.collateral')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Curve({ changes, coin }: { readonly changes: readonly Change[]; readonly coin: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const [hovered, setHovered] = useState<number>();
  const points = useMemo(
    () => changes.toReversed().map(({ createdTime, amount }) => ({ time: createdTime, value: Number(amount) })),
    [changes],
  );
  const look = useSettings(({ theme, palette, direction }) => `${theme} ${palette} ${direction}`);
  // Points are oldest first, changes newest first.
  const shown = changes[changes.length - 1 - (hovered ?? changes.length - 1)];
  const label = text('insurance.chartLabel', {
    coin: coinName(coin),
    from: format.time(points[0]?.time ?? 0),
    to: format.time(points.at(-1)?.time ?? 0),
    first: format.number(changes.at(-1)?.amount),
    last: format.number(changes[0]?.amount),
  });
  return (
    <div className="px-4 pt-3 pb-2">
      <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-medium">
          {format.number(shown?.amount)} {coinName(coin)}
        </span>
        <span className="text-fg3">{shown === undefined ? '' : format.time(shown.createdTime)}</span>
      </p>
      <Panel loading={<Skeleton className="h-[232px] w-full" />}>
        <CurveChart
          key={look}
          points={points}
          tone="neutral"
          label={label}
          axisValue={(value) => format.number(value.toFixed(2), { decimals: value < 100 ? 2 : 0 })}
          axisTime={(millis) => format.time(millis).slice(5, 16)}
          onHover={setHovered}
        />
      </Panel>
    </div>
  );
}

function useColumns(): readonly Column<Change>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'time', header: text('insurance.time'), cell: (row) => <span className="text-fg2">{format.time(row.createdTime)}</span> },
    { id: 'cause', header: text('insurance.cause'), cell: (row) => text(`insurance.cause.${row.cause}`) },
    {
      id: 'change',
      header: text('insurance.change'),
      align: 'end',
      cell: ({ change }) => (
        <span className={compareDecimals(change, '0') < 0 ? 'text-down' : 'text-up'}>{format.number(change, { sign: 'always' })}</span>
      ),
    },
    { id: 'after', header: text('insurance.after'), align: 'end', cell: (row) => format.number(row.amount) },
  ];
}

function History({ coin }: { readonly coin: string }): ReactElement {
  const text = useText();
  const columns = useColumns();
  const { read, more, loadingMore } = useCursorQuery<Change>({
    key: ['riskBalance', coin],
    of: 'everybody',
    load: (id) => ask('riskBalance', { query: { coin, limit: PAGE, ...(id !== undefined && { id }) }, ignoreToken: true }),
  });
  return (
    <Section title={text('insurance.history', { coin: coinName(coin) })}>
      {read.value !== undefined && read.value.length > 1 && <Curve changes={read.value} coin={coin} />}
      <Table label={text('insurance.changes')} columns={columns} read={read} keyOf={({ id }) => id} empty={text('insurance.empty')} />
      {more !== undefined && (
        <div className="flex justify-center border-t border-line py-2">
          <Button size="small" kind="quiet" busy={loadingMore} onClick={more}>
            {text('insurance.older')}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Shown({ funds }: { readonly funds: readonly Fund[] }): ReactElement {
  const text = useText();
  const coins = funds.map(({ coin }) => coin);
  const [wanted, setWanted] = useChoiceInUrl({ name: 'coin', values: coins, usual: coins[0] ?? '' });
  const chosen = funds.find(({ coin }) => coin === wanted);
  if (chosen === undefined) return <p className="text-md text-fg2">{text('insurance.none')}</p>;
  return (
    <>
      <Funds funds={funds} value={chosen.coin} onChange={setWanted} />
      <History key={chosen.coin} coin={chosen.coin} />
    </>
  );
}

export function InsurancePage(): ReactElement {
  const text = useText();
  const read = useData({ name: 'riskBalance', input: { query: { limit: 1 } }, of: 'everybody', pollMs: POLL_MS });
  return (
    <Page title={text('insurance.title')} lead={text('insurance.lead')}>
      <LoadedPanel read={read} loading={<Skeleton className="h-64 w-full" />}>
        {({ funds }) => <Shown funds={funds} />}
      </LoadedPanel>
    </Page>
  );
}
