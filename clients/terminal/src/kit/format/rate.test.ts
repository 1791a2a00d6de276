import { expect, test } from 'vitest';
import { formatDecimal } from './number-format.ts';
import { ratePercent, rateStyle } from './rate.ts';

test.each([
  ['0.0000125', '0.00125'],
  ['-0.04', '-4'],
  ['0', '0'],
])('a rate of %s is %s %%', (rate, percent) => {
  expect(ratePercent(rate)).toBe(percent);
});

test.each([
  ['0', 5],
  ['0.0013', 5],
  ['-0.0001', 5],
  ['0.00001', 7],
])('%s %% is written with %s decimals', (percent, decimals) => {
  expect(rateStyle(percent).decimals).toBe(decimals);
});

test.each([
  // A rate of the wire   shown
  ['0.0000125', '0.00125'],
  ['0.000012345', '0.00123'],
  ['0.000012355', '0.00124'],
  ['-0.000012355', '\u22120.00124'],
  ['0.000000999', '0.0000999'],
  ['0.04', '4.00000'],
])('a rate of %s is %s % wherever it is shown', (rate, shown) => {
  const percent = ratePercent(rate);
  expect(formatDecimal(percent, { ...rateStyle(percent), format: '1,234.56' })).toBe(shown);
});
