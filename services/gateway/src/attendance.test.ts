import { expect, test } from 'vitest';
import { Attendance, REST_AFTER_MS, REST_MOVE_PPM } from './attendance.ts';

test('the house is at rest when nobody has been there for two minutes, and lively with the first call of somebody', () => {
  let now = 0;
  const attendance = new Attendance(() => now);
  expect(attendance.quoteMovePpm(false)).toBe(0);
  now = REST_AFTER_MS - 1;
  expect(attendance.quoteMovePpm(false)).toBe(0);
  now = REST_AFTER_MS;
  expect(attendance.quoteMovePpm(false)).toBe(REST_MOVE_PPM);
  attendance.called({ tier: 'standard' });
  expect(attendance.quoteMovePpm(false)).toBe(0);
});

test('the calls of the house, and those without a name, which it makes as well, leave it at rest', () => {
  let now = 0;
  const attendance = new Attendance(() => now);
  now = REST_AFTER_MS;
  attendance.called({ tier: 'marketMaker' });
  attendance.called(undefined);
  expect(attendance.quoteMovePpm(false)).toBe(REST_MOVE_PPM);
});

test('an open stream keeps it lively however long it is open, and for two minutes after', () => {
  let now = 0;
  const attendance = new Attendance(() => now);
  now = 10 * REST_AFTER_MS;
  expect(attendance.quoteMovePpm(true)).toBe(0);
  now += REST_AFTER_MS - 1;
  expect(attendance.quoteMovePpm(false)).toBe(0);
  now += 1;
  expect(attendance.quoteMovePpm(false)).toBe(REST_MOVE_PPM);
});
