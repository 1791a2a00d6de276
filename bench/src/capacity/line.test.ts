import { beforeAll, expect, test, vi } from 'vitest';
import { extrapolation } from './extrapolation.ts';
import { KINDS } from './kinds.ts';
import { lineThrough } from './line.ts';

// A smoke run measures nothing: without --expose-gc there is no collection.
beforeAll(() => void vi.stubGlobal('gc', () => undefined));

test('points of one line give that line, and one that lies beside it is off by its share of the largest', () => {
  const points = [1, 2, 5].map((count) => ({ count, value: 3 + 7 * count }));
  const { slope, intercept, off } = lineThrough(points);
  expect([slope, intercept, off].map((each) => Math.round(each * 1e9) / 1e9)).toEqual([7, 3, 0]);
  const level = lineThrough([0, 1, 2].map((count) => ({ count, value: count === 1 ? 4 : 1 })));
  expect(level).toEqual({ slope: 0, intercept: 2, off: 0.5 });
});

test('one count is no line', () => {
  expect(() => lineThrough([{ count: 5, value: 1 }])).toThrow('two different counts');
});

test('a sum is that of its slope, and what was not measured is left out', () => {
  const slopes = { 'heart-flow': { processorMicros: { slope: 8, intercept: 1_000, off: 0 } } };
  expect(extrapolation(slopes).map(({ what, value }) => [what, value])).toEqual([
    ['engine', 125_000],
    ['engine at 100,000 a second', 0.8],
  ]);
});

/** Few, because each starts processes of its own. */
const SMOKE = ['heart-account', 'heart-flow', 'gateway-account'];

test.each(KINDS.filter(({ name }) => SMOKE.includes(name)))('$name can be measured', async ({ measure }) => {
  const readings = await measure(40);
  expect(Object.values(readings).every(Number.isFinite)).toBe(true);
});
