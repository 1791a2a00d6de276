import { expect, test } from 'vitest';
import { practiceSteps } from './practice-steps.ts';

const no = { hasMoney: false, hasPosition: false, wasLiquidated: false };

test.each([
  ['nothing yet', no, 'money'],
  ['practice money', { ...no, hasMoney: true }, 'position'],
  ['an open position', { ...no, hasMoney: true, hasPosition: true }, 'move'],
  ['all money in an isolated position', { ...no, hasPosition: true }, 'move'],
  ['a liquidation', { ...no, hasMoney: true, wasLiquidated: true }, 'why'],
  ['a liquidation of everything', { ...no, wasLiquidated: true }, 'why'],
  ['a position after a liquidation', { hasMoney: true, hasPosition: true, wasLiquidated: true }, 'move'],
] as const)('with %s the next step of practice is named', (_, state, next) => {
  const steps = practiceSteps(state);
  expect(steps.filter((step) => step.state === 'current').map(({ name }) => name)).toEqual([next]);
  const place = steps.findIndex(({ name }) => name === next);
  expect(steps.slice(0, place).every(({ state: at }) => at === 'done')).toBe(true);
  expect(steps.slice(place + 1).every(({ state: at }) => at === 'later')).toBe(true);
});
