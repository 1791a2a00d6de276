import { expect, test } from 'vitest';
import { prizesOf, prizeText } from './prize-text.ts';

test('A10: prizes are typed by rank, and read again as they were typed', () => {
  const prizes = prizesOf('1: 5000, 2-10:500');
  expect(prizes).toEqual([
    { fromRank: 1, toRank: 1, points: 5_000 },
    { fromRank: 2, toRank: 10, points: 500 },
  ]);
  expect(prizeText(prizes ?? [])).toBe('1: 5000, 2-10: 500');
});

test.each(['', '1', '1: 0', '0: 5', '3-2: 5', '1-3: 5, 3: 4', '2: 5, 1: 4', '1: 5,', '1: 1.5'])('A10: %j is no list of prizes', (typed) =>
  expect(prizesOf(typed)).toBeUndefined(),
);
