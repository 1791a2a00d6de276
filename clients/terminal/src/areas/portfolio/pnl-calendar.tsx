/** What each day gained or lost, a month at a time, and what each month did. The sign says what the colour says. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { compareDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { HIDDEN, useFormat } from '../../kit/settings/use-format.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { classes } from '../../kit/ui/classes.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { compactOf, dayGains, mergeSnapshots, monthGains, strengthOf, weeksOf, wonAndLost } from './calendar.ts';
import type { CalendarCell, MonthGain } from './calendar.ts';
import type { Scope } from './use-history.ts';
import { useHistory } from './use-history.ts';
import { together } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

const VIEWS = ['days', 'months'] as const;
type View = (typeof VIEWS)[number];

const TINTS = {
  up: ['', 'bg-up/10', 'bg-up/20', 'bg-up/35'],
  down: ['', 'bg-down/10', 'bg-down/20', 'bg-down/35'],
} as const;

const tintOf = (gain: string, all: readonly string[]): string =>
  TINTS[compareDecimals(gain, '0') < 0 ? 'down' : 'up'][strengthOf(gain, all)];

/** Short, with its sign; dots while amounts are hidden. */
function useCompact(): (gain: string) => string {
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  return (gain) => {
    const { value, decimals, suffix } = compactOf(gain);
    return isHidden ? HIDDEN : `${format.number(value, { decimals, sign: 'always' })}${suffix}`;
  };
}

function Cell({
  cell,
  month,
  all,
}: {
  readonly cell: CalendarCell;
  readonly month: string;
  readonly all: readonly string[];
}): ReactElement {
  const format = useFormat();
  const compact = useCompact();
  const { number, gain } = cell;
  if (number === undefined) return <td className="border border-transparent" />;
  const date = `${month}-${String(number).padStart(2, '0')}`;
  return (
    <td
      {...(gain !== undefined && { title: `${date}: ${format.own(gain, { sign: 'always' })} USDC` })}
      className={classes('h-12 border border-line p-1 align-top', gain !== undefined && tintOf(gain, all))}
    >
      <span className={classes('block text-sm leading-tight', gain === undefined ? 'text-fg2' : 'text-fg')}>{number}</span>
      <span className="block truncate text-end text-sm leading-tight font-medium">{gain === undefined ? '' : compact(gain)}</span>
    </td>
  );
}

function Days({ month }: { readonly month: MonthGain }): ReactElement {
  const text = useText();
  const all = month.days.map(({ gain }) => gain);
  return (
    <table aria-label={text('calendar.daysOf', { month: month.month })} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          {([1, 2, 3, 4, 5, 6, 7] as const).map((day) => (
            <th key={day} scope="col" className="pb-1 text-sm font-normal text-fg3">
              {text(`calendar.weekday.${day}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, row) => (
          <tr key={`${month.month}:${String(row)}`}>
            {week.map((cell, place) => (
              <Cell key={cell.number ?? `empty:${String(place)}`} cell={cell} month={month.month} all={all} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Months({ months }: { readonly months: readonly MonthGain[] }): ReactElement {
  const text = useText();
  const compact = useCompact();
  const all = months.map(({ gain }) => gain);
  return (
    <ul aria-label={text('calendar.months')} className="grid grid-cols-2 gap-px tablet:grid-cols-4">
      {months.map((month) => (
        <li key={month.month} className={classes('min-w-0 border border-line p-3', tintOf(month.gain, all))}>
          <span className="block text-sm">{month.month}</span>
          <span className="block truncate text-lg font-semibold">{compact(month.gain)}</span>
          <span className="block text-sm">{text('calendar.wonAndLost', wonAndLost(month.days))}</span>
        </li>
      ))}
    </ul>
  );
}

interface MonthPickerProps {
  readonly months: readonly MonthGain[];
  readonly at: number;
  readonly onChange: (at: number) => void;
}

function MonthPicker({ months, at, onChange }: MonthPickerProps): ReactElement {
  const text = useText();
  const compact = useCompact();
  const month = months[at];
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-md">
      <span className="flex items-center">
        <IconButton label={text('calendar.before')} className="size-7" disabled={at === 0} onClick={() => onChange(at - 1)}>
          <ChevronLeft size={15} className="rtl:-scale-x-100" />
        </IconButton>
        <span className="px-1 font-semibold" aria-live="polite">
          {month?.month}
        </span>
        <IconButton label={text('calendar.after')} className="size-7" disabled={at >= months.length - 1} onClick={() => onChange(at + 1)}>
          <ChevronRight size={15} className="rtl:-scale-x-100" />
        </IconButton>
      </span>
      {month !== undefined && (
        <span className="text-fg2">
          <span className="font-medium text-fg">{compact(month.gain)} USDC</span> · {text('calendar.wonAndLost', wonAndLost(month.days))}
        </span>
      )}
    </div>
  );
}

function Shown({ months, view }: { readonly months: readonly MonthGain[]; readonly view: View }): ReactElement {
  const text = useText();
  const names = months.map(({ month }) => month);
  const [shown, show] = useChoiceInUrl({ name: 'month', values: names, usual: names.at(-1) ?? '' });
  const at = names.indexOf(shown);
  const month = months[at];
  if (month === undefined) return <p className="py-8 text-center text-md text-fg2">{text('calendar.empty')}</p>;
  if (view === 'months') return <Months months={months} />;
  return (
    <>
      <MonthPicker months={months} at={at} onChange={(next) => show(names[next] ?? shown)} />
      <Days month={month} />
    </>
  );
}

export function PnlCalendar({ scope }: { readonly scope: Scope }): ReactElement {
  const text = useText();
  const [view, setView] = useChoiceInUrl({ name: 'calendar', values: VIEWS, usual: 'days' });
  const quarter = useHistory('90d', scope);
  const week = useHistory('7d', scope);
  const both = together(quarter, week);
  const months = useMemo(
    () => (quarter.value === undefined || week.value === undefined ? [] : monthGains(dayGains(mergeSnapshots(quarter.value, week.value)))),
    [quarter.value, week.value],
  );
  const choices = VIEWS.map((value) => ({ value, label: text(`calendar.view.${value}`) }));
  return (
    <Section
      title={text('calendar.title')}
      aside={<Segmented size="small" label={text('calendar.view')} value={view} choices={choices} onChange={setView} />}
    >
      <div className="p-4">
        <LoadedPanel read={both} loading={<Skeleton className="h-64 w-full" />}>
          {() => <Shown months={months} view={view} />}
        </LoadedPanel>
      </div>
    </Section>
  );
}
