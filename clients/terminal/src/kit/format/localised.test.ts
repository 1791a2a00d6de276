import { expect, test } from 'vitest';
import { localised } from './localised.ts';

test.each([
  ['{"en":"First order","zh":"x"}', 'First order'],
  ['{"zh":"x"}', '{"zh":"x"}'],
  ['First order', 'First order'],
  ['{"en":7}', '{"en":7}'],
  ['null', 'null'],
])('[T3, T4] the name of %s is %s', (text, name) => {
  expect(localised(text)).toBe(name);
});
