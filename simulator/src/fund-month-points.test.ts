import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { simulatedMonth } from './fund-month-points.ts';

test('[A12] the simulated month of the charts is what the strategies make of the recorded prices', { timeout: 300_000 }, () => {
  const shipped = readFileSync(new URL('../../services/fund/data/simulated-month.csv', import.meta.url), 'latin1');
  expect(simulatedMonth()).toBe(shipped);
  expect(shipped.split('\n').length).toBeGreaterThan(179);
});
