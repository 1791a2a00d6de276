import { expect, test } from 'vitest';
import { estimateFunds, estimateSize } from './fill-estimate.ts';

const ASKS = [100, 5, 110, 10];

test('a size takes the best levels first', () => {
  expect(estimateSize(ASKS, 7)).toEqual({ filled: 7, cost: 720n, worst: 110, isComplete: true });
  expect(estimateSize(ASKS, 5)).toEqual({ filled: 5, cost: 500n, worst: 100, isComplete: true });
});

test('a size larger than the book is reported as incomplete', () => {
  expect(estimateSize(ASKS, 20)).toEqual({ filled: 15, cost: 1600n, worst: 110, isComplete: false });
  expect(estimateSize([], 1)).toEqual({ filled: 0, cost: 0n, worst: 0, isComplete: false });
});

test('funds buy whole lots and leave the rest', () => {
  expect(estimateFunds(ASKS, 745n)).toEqual({ filled: 7, cost: 720n, worst: 110, isComplete: true });
  expect(estimateFunds(ASKS, 500n)).toEqual({ filled: 5, cost: 500n, worst: 100, isComplete: true });
  expect(estimateFunds(ASKS, 99n)).toEqual({ filled: 0, cost: 0n, worst: 0, isComplete: true });
});

test('funds beyond the whole book are reported as incomplete', () => {
  expect(estimateFunds(ASKS, 5000n)).toEqual({ filled: 15, cost: 1600n, worst: 110, isComplete: false });
});
