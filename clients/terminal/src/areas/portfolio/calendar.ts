/** What each day and month of recorded snapshots gained: days are those of UTC, as snapshots are recorded. Pure. */
import { compareDecimals, decimal, divideDecimals, sumDecimals } from '../../kit/format/decimal.ts';
import { gains } from './performance.ts';
import type { Snapshot } from './performance.ts';

export interface DayGain {
  /** The beginning of the day in UTC, unix milliseconds. */
  readonly day: number;
  /** USDC, decimal text. */
  readonly gain: string;
}

export interface MonthGain {
  /** `2026-11`. */
  readonly month: string;
  readonly gain: string;
  readonly days: readonly DayGain[];
}

/** A cell of a month: the numbers of its days stand in weeks that begin on Monday. */
export interface CalendarCell {
  /** From 1; `undefined` before the first day and after the last. */
  readonly number: number | undefined;
  /** `undefined` where nothing was recorded. */
  readonly gain: string | undefined;
}

const DAY_MS = 86_400_000;
const WEEK = 7;

/** Snapshots of several lists as one, oldest first; of two at the same time the first stays. */
export function mergeSnapshots(...lists: readonly (readonly Snapshot[])[]): readonly Snapshot[] {
  const byTime = new Map<number, Snapshot>();
  for (const snapshot of lists.flat()) if (!byTime.has(snapshot.time)) byTime.set(snapshot.time, snapshot);
  return [...byTime.values()].toSorted((left, right) => left.time - right.time);
}

/**
 * The gain of each day of which the beginning and a later time are known. The first day of an account begins with its first snapshot; a day after
 * a gap begins with nothing, so it is left out.
 */
export function dayGains(snapshots: readonly Snapshot[]): readonly DayGain[] {
  const [first] = snapshots;
  if (first === undefined) return [];
  const days: DayGain[] = [];
  for (let day = startOf(first.time); day <= (snapshots.at(-1)?.time ?? 0); day += DAY_MS) {
    const inside = snapshots.filter(({ time }) => time >= day && time <= day + DAY_MS);
    const [begin] = inside;
    const isWhole = begin !== undefined && (begin.time === day || begin === first);
    const gain = isWhole && inside.length > 1 ? gains(inside).at(-1) : undefined;
    if (gain !== undefined) days.push({ day, gain });
  }
  return days;
}

const startOf = (time: number): number => time - (time % DAY_MS);

const monthOf = (day: number): string => new Date(day).toISOString().slice(0, 'YYYY-MM'.length);

/** Oldest first. */
export function monthGains(days: readonly DayGain[]): readonly MonthGain[] {
  const months = new Map<string, DayGain[]>();
  for (const day of days) {
    const month = monthOf(day.day);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return [...months].map(([month, own]) => ({ month, gain: sumDecimals(own.map(({ gain }) => gain)), days: own }));
}

/** The weeks of a month such as `2026-11`. */
export function weeksOf({ month, days }: Pick<MonthGain, 'month' | 'days'>): readonly (readonly CalendarCell[])[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const before = (new Date(first).getUTCDay() + WEEK - 1) % WEEK;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const gainOf = new Map(days.map(({ day, gain }) => [new Date(day).getUTCDate(), gain]));
  const count = Math.ceil((before + length) / WEEK) * WEEK;
  const cells = Array.from({ length: count }, (_, at): CalendarCell => {
    const day = at - before + 1;
    return day < 1 || day > length ? { number: undefined, gain: undefined } : { number: day, gain: gainOf.get(day) };
  });
  return Array.from({ length: count / WEEK }, (_, week) => cells.slice(week * WEEK, (week + 1) * WEEK));
}

/** How strong a gain or a loss is among others: 0 for none, 3 for the largest third. */
export function strengthOf(gain: string, all: readonly string[]): 0 | 1 | 2 | 3 {
  const size = decimal(gain).abs();
  if (size.eq('0')) return 0;
  const largest = all.map((one) => decimal(one).abs()).reduce((left, right) => (left.gt(right) ? left : right), size);
  const thirds = size.times('3');
  return thirds.gt(largest.times('2')) ? 3 : thirds.gt(largest) ? 2 : 1;
}

export interface Compact {
  /** Decimal text, with its sign. */
  readonly value: string;
  readonly decimals: number;
  readonly suffix: '' | 'K' | 'M';
}

/** An amount for a narrow cell, towards zero: `1234.5` is 1.2 K. */
export function compactOf(amount: string): Compact {
  const size = decimal(amount).abs();
  const scaled = (divisor: string): string => divideDecimals({ dividend: amount, divisor, decimals: 1 });
  if (size.gte('1000000')) return { value: scaled('1000000'), decimals: 1, suffix: 'M' };
  if (size.gte('1000')) return { value: scaled('1000'), decimals: 1, suffix: 'K' };
  return { value: amount, decimals: size.gte('100') ? 0 : size.gte('10') ? 1 : 2, suffix: '' };
}

export const wonAndLost = (days: readonly DayGain[]): { readonly won: number; readonly lost: number } => ({
  won: days.filter(({ gain }) => compareDecimals(gain, '0') > 0).length,
  lost: days.filter(({ gain }) => compareDecimals(gain, '0') < 0).length,
});
