import { expect, test } from 'vitest';
import { taskFlag } from './task-flag.ts';

test.each([
  [0, 999],
  [1, 1],
  [2, 2],
] as const)('[T4] the flag of a task whose status is %i is %i', (status, flag) => {
  expect(taskFlag(status)).toBe(flag);
});
