import { expect, test } from 'vitest';
import { prizesOf, prizeText, type Prizes } from './prize-text.ts';

test('[A10] prizes are typed by rank, and read again as they were typed', () => {
  const prizes = prizesOf('1: 5000, 2-10:500');
  expect(prizes).toEqual([
    { fromRank: 1, toRank: 1, points: 5_000 },
    { fromRank: 2, toRank: 10, points: 500 },
  ]);
  expect(prizeText(prizes as Prizes)).toBe('1: 5000, 2-10: 500');
});

test.each([
  ['', 'form', ''],
  ['1', 'form', '1'],
  ['1: 0', 'form', '1: 0'],
  ['0: 5', 'form', '0: 5'],
  ['1: 5,', 'form', ''],
  ['1: 1.5', 'form', '1: 1.5'],
  ['3-2: 5', 'ranks', '3-2: 5'],
  ['1-3: 5, 3: 4', 'ranks', '3: 4'],
  ['2: 5, 1: 4', 'ranks', '1: 4'],
  ['1: 5, 2: 77778', 'most', '2: 77778'],
])('[A10] %j is no list of prizes: %s of %j', (typed, fault, part) => expect(prizesOf(typed)).toEqual({ fault, part }));
