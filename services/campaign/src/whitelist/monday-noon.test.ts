import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { lastMondayNoon, mondayNoonsBetween } from './monday-noon.ts';

const WEEK = 7 * 86_400_000;
const noon = Date.UTC(2026, 10, 23, 12);

test('[T8] Monday 12:00 UTC itself counts, the moment before does not', () => {
  expect(lastMondayNoon(noon)).toBe(noon);
  expect(lastMondayNoon(noon - 1)).toBe(noon - WEEK);
  expect(lastMondayNoon(noon + WEEK - 1)).toBe(noon);
});

test('[T8] every moment lies in one week between two Mondays at 12:00 UTC', () => {
  assert(
    property(integer({ min: 0, max: 4_102_444_800_000 }), integer({ min: 0, max: 10 * WEEK }), (from, span) => {
      const last = new Date(lastMondayNoon(from));
      expect([last.getUTCDay(), last.getUTCHours(), last.getUTCMinutes(), last.getUTCSeconds(), last.getUTCMilliseconds()]).toEqual([
        1, 12, 0, 0, 0,
      ]);
      expect(from - last.getTime()).toBeLessThan(WEEK);
      const between = mondayNoonsBetween(from, from + span);
      expect(between.every((each) => each > from && each <= from + span)).toBe(true);
      expect(between.length === 0 ? lastMondayNoon(from + span) : between.at(-1)).toBe(lastMondayNoon(from + span));
    }),
  );
});
