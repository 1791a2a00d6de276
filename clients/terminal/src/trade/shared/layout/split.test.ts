import { expect, test } from 'vitest';
import { boundedHeight } from './split.tsx';

test('neither panel can be dragged away', () => {
  expect(boundedHeight(236, 800)).toBe(236);
  expect(boundedHeight(5, 800)).toBe(120);
  expect(boundedHeight(Number.POSITIVE_INFINITY, 800)).toBe(560);
  expect(boundedHeight(236, 300)).toBe(120);
});
