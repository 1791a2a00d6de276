import { expect, test } from 'vitest';
import { taskName } from './task-name.ts';

test.each([
  ['{"en":"First order","zh":"x"}', 'First order'],
  ['{"zh":"x"}', '{"zh":"x"}'],
  ['First order', 'First order'],
  ['{"en":7}', '{"en":7}'],
  ['null', 'null'],
])('T3 points history: the name of %s is %s', (text, name) => {
  expect(taskName(text)).toBe(name);
});
