import { expect, test } from 'vitest';
import { compactOf, dayGains, mergeSnapshots, monthGains, strengthOf, weeksOf, wonAndLost } from './calendar.ts';
import type { Snapshot } from './performance.ts';

const HOUR = 3_600_000;
/** An hour of a day of November; day 31 is the first of December. */
const at = (day: number, hour: number, equity: string, net = '1000'): Snapshot => ({
  time: Date.UTC(2026, 10, day, hour),
  equity,
  net,
});
const shown = (snapshots: readonly Snapshot[]): readonly string[] =>
  dayGains(snapshots).map(({ day, gain }) => `${new Date(day).toISOString().slice(0, 10)} ${gain}`);

test.each([
  ['nothing recorded', [], []],
  ['one snapshot', [at(28, 9, '1000')], []],
  ['the first day begins with its first snapshot', [at(28, 9, '1000'), at(28, 12, '1004.5')], ['2026-11-28 4.5']],
  [
    'a day ends where the next begins, and a deposit is no gain',
    [at(28, 0, '1000'), at(29, 0, '990'), at(30, 0, '1500', '1500'), at(30, 7, '1501', '1500')],
    ['2026-11-28 -10', '2026-11-29 10', '2026-11-30 1'],
  ],
  ['a day after a gap is left out', [at(28, 0, '1000'), at(28, 5, '1001'), at(30, 4, '1100'), at(30, 9, '1200')], ['2026-11-28 1']],
  ['a day without a change gained nothing', [at(28, 0, '1000'), at(29, 0, '1000')], ['2026-11-28 0']],
])('days: %s', (_, snapshots, expected) => {
  expect(shown(snapshots)).toEqual(expected);
});

test('lists of days and hours are one list, oldest first, each time once', () => {
  const merged = mergeSnapshots([at(28, 0, '1'), at(29, 0, '2')], [at(28, 23, '3'), at(29, 0, '4'), at(29, 1, '5')]);
  expect(merged.map(({ equity }) => equity)).toEqual(['1', '3', '2', '5']);
});

test('months add up their days', () => {
  const months = monthGains(dayGains([at(29, 0, '1000'), at(30, 0, '990'), at(31, 0, '1002'), at(32, 0, '1000')]));
  expect(months.map(({ month, gain, days }) => [month, gain, days.length])).toEqual([
    ['2026-11', '2', 2],
    ['2026-12', '-2', 1],
  ]);
  expect(wonAndLost(months[0]?.days ?? [])).toEqual({ won: 1, lost: 1 });
});

test.each([
  // month      weeks  place of the first  last
  ['2026-11', 6, 6, 30],
  ['2026-12', 5, 1, 31],
  ['2027-02', 4, 0, 28],
  ['2028-02', 5, 1, 29],
])('%s has %s weeks, begins on day %s of one and ends with %s', (month, weeks, before, last) => {
  const day = Date.parse(`${month}-02T00:00:00Z`);
  const calendar = weeksOf({ month, days: [{ day, gain: '7' }] });
  const cells = calendar.flat();
  expect(calendar).toHaveLength(weeks);
  expect(cells.findIndex(({ number }) => number === 1)).toBe(before);
  expect(cells.findLast(({ number }) => number !== undefined)?.number).toBe(last);
  expect(cells.filter(({ gain }) => gain !== undefined)).toEqual([{ number: 2, gain: '7' }]);
});

test.each([
  ['0', 0],
  ['-1', 1],
  ['4', 2],
  ['-7', 3],
  ['9', 3],
] as const)('among gains up to 9, %s is of strength %s', (gain, strength) => {
  expect(strengthOf(gain, ['9', '-7', '4', '-1', '0'])).toBe(strength);
});

test.each([
  ['0', '0', 2, ''],
  ['-3.456', '-3.456', 2, ''],
  ['12.34', '12.34', 1, ''],
  ['999.99', '999.99', 0, ''],
  ['1999', '1.9', 1, 'K'],
  ['-1290', '-1.2', 1, 'K'],
  ['2500000', '2.5', 1, 'M'],
])('%s is written as %s with %s decimals and %s', (amount, value, decimals, suffix) => {
  expect(compactOf(amount)).toEqual({ value, decimals, suffix });
});

test('an hour is no day', () => {
  expect(dayGains([at(28, 0, '1000'), { ...at(28, 0, '1001'), time: Date.UTC(2026, 10, 28) + HOUR }])).toHaveLength(1);
});
