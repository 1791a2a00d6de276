import { expect, test } from 'vitest';
import { groupsOfFour, shortHash } from './hash.ts';
import { daysSince, formatCountdown, formatSpan, formatTime, zoneName } from './time.ts';

const MOMENT = Date.UTC(2025, 10, 23, 21, 5, 9);

test('a moment is written YYYY-MM-DD HH:mm:ss, or with slashes', () => {
  expect(formatTime(MOMENT, { zone: 'utc', separator: '-' })).toBe('2025-11-23 21:05:09');
  expect(formatTime(MOMENT, { zone: 'utc', separator: '/' })).toBe('2025/11/23 21:05:09');
});

test('a span is written in its two largest units, rounded down', () => {
  expect([0, 59_999, 60_000, 3_600_000, 15_120_000, 172_800_000, -5].map(formatSpan)).toEqual([
    '0 s',
    '59 s',
    '1 m',
    '1 h',
    '4 h 12 m',
    '2 d',
    '0 s',
  ]);
});

test('the zone of this computer is named by its offset', () => {
  expect([zoneName('utc', 330), zoneName('local', 0), zoneName('local', -120), zoneName('local', 210)]).toEqual([
    'UTC',
    'UTC',
    'UTC+2',
    'UTC\u22123:30',
  ]);
});

test('a hash is shown by its first six and last four characters', () => {
  expect(shortHash('0x1234567890abcdef')).toBe('0x1234…cdef');
  expect(shortHash('0x1234')).toBe('0x1234');
});

test('an address to be read aloud stands in groups of four', () => {
  expect(groupsOfFour('0x00112233445566778899aabbccddeeff00112233')).toEqual([
    '0x',
    '0011',
    '2233',
    '4455',
    '6677',
    '8899',
    'aabb',
    'ccdd',
    'eeff',
    '0011',
    '2233',
  ]);
});

test('a countdown is written to the second, with days when there are any', () => {
  expect([-5, 999, 1_000, 86_399_999, 86_400_000, 275_415_000].map(formatCountdown)).toEqual([
    '00:00:00',
    '00:00:00',
    '00:00:01',
    '23:59:59',
    '1 d 00:00:00',
    '3 d 04:30:15',
  ]);
});

test('days since a day are whole, and none for a day to come', () => {
  expect(daysSince('2025-11-21', MOMENT)).toBe(2);
  expect(daysSince('2025-11-23', MOMENT)).toBe(0);
  expect(daysSince('2025-12-01', MOMENT)).toBe(0);
});
