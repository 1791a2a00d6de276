import { expect, test } from 'vitest';
import { atoms, millis } from '@orrery/units';
import { CAP_DAY_MS, CAP_HOUR_MS, countsToward, invalidCapsField, minuteOf } from './withdrawal-caps.ts';

test('D5: what is held counts for the whole hour that begins with it, and for less than a minute more', () => {
  for (const held of [0, 1, 29_999, 59_999, 60_000]) {
    for (const window of [CAP_HOUR_MS, CAP_DAY_MS]) {
      const counts = (after: number): boolean => countsToward(minuteOf(millis(held)), millis(held + after), window);
      expect([counts(0), counts(window - 1), counts(window), counts(window + 60_000)]).toEqual([true, true, true, false]);
    }
  }
});

test.each([
  [0n, 0n, undefined],
  [5n, 5n, undefined],
  [6n, 5n, 'hourly'],
  [-1n, 5n, 'hourly'],
  [0n, -1n, 'daily'],
  [0n, 10n ** 38n, 'daily'],
  [10n ** 38n - 1n, 10n ** 38n - 1n, undefined],
] as const)('caps of %s an hour and %s a day: the field that can not be is %s', (hourly, daily, field) => {
  expect(invalidCapsField({ hourly: atoms(hourly), daily: atoms(daily) })).toBe(field);
});
