import { expect, test } from 'vitest';
import { utcOf, utcText } from './utc-text.ts';

test('[A10] a time is typed to the minute in UTC; what is none is distinguished from an empty field', () => {
  expect(utcOf(' 2026-12-01 06:30 ')).toBe(Date.UTC(2026, 11, 1, 6, 30));
  expect(utcText(Date.UTC(2026, 11, 1, 6, 30))).toBe('2026-12-01 06:30');
  expect([utcOf('  '), utcText(null)]).toEqual([null, '']);
  for (const wrong of ['2026-12-01', '2026-02-30 00:00', '2026-12-01 24:01', '2026-13-01 00:00', '1969-12-31 23:59', 'tomorrow'])
    expect(utcOf(wrong), wrong).toBeUndefined();
});
