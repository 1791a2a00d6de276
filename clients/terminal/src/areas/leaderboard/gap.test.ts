import { expect, test } from 'vitest';
import { gapAbove, pageOfRank } from './gap.ts';

const RANKING = [
  { rank: 4, value: '120.5' },
  { rank: 5, value: '90' },
];

test('[T12] the gap to the next rank is what is missing to its value', () => {
  expect(gapAbove({ rank: 6, value: '-10.25' }, RANKING)).toEqual({ rank: 5, missing: '100.25' });
  expect(gapAbove({ rank: 5, value: '90' }, RANKING)).toEqual({ rank: 4, missing: '30.5' });
});

test('[T12] who has passed the rank above since it was read is level with it', () => {
  expect(gapAbove({ rank: 6, value: '91' }, RANKING)).toEqual({ rank: 5, missing: '0' });
});

test('[T12] above the first there is nobody', () => {
  expect(gapAbove({ rank: 1, value: '500' }, RANKING)).toBeUndefined();
});

test('[T12] a rank stands on the page of ten that holds it', () => {
  expect([1, 10, 11, 20, 21].map((rank) => pageOfRank(rank).page)).toEqual([1, 1, 2, 2, 3]);
});
