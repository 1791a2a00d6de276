import { expect, test } from 'vitest';
import { Spacing } from './sounds.ts';

test('fills that come together sound once; another kind is heard beside them', () => {
  const spacing = new Spacing();
  expect(spacing.mayPlay('fill', 1_000)).toBe(true);
  expect(spacing.mayPlay('fill', 1_050)).toBe(false);
  expect(spacing.mayPlay('rejected', 1_060)).toBe(true);
  expect(spacing.mayPlay('fill', 1_300)).toBe(true);
});
