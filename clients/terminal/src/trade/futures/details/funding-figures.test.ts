import { expect, test } from 'vitest';
import { formatDecimal } from '../../../kit/format/number-format.ts';
import { fundingFigures, ratePercent, rateStyle, yearlyPercent } from './funding-figures.ts';

const settled = (...rates: readonly string[]) => rates.map((fundingRate, at) => ({ createdTime: at, fundingRate }));

test.each([
  ['0.0000125', '0.00125'],
  ['-0.04', '-4'],
  ['0', '0'],
])('a rate of %s is %s %%', (rate, percent) => {
  expect(ratePercent(rate)).toBe(percent);
});

test.each([
  ['0.00125', 1, '10.95'],
  ['0.01', 8, '10.95'],
  ['-4', 1, '-35040'],
])('%s %% each %s hours are %s %% in a year', (percent, hours, yearly) => {
  expect(yearlyPercent(percent, hours)).toBe(yearly);
});

test.each([
  // rates                                average       yearly      sum        up down
  [['0.0000125'], '0.00125', '10.95', '0.00125', 1, 0],
  [['0.0001', '-0.0003', '0'], '-0.0066666', '-58.399416', '-0.02', 1, 1],
])('rates %s: %s %% on average, %s %% a year, %s %% in sum', (rates, average, yearly, sum, positive, negative) => {
  expect(fundingFigures(settled(...rates), 1)).toEqual({ average, yearly, sum, positive, negative });
});

test('without settlements there are no figures', () => {
  expect(fundingFigures([], 1)).toBeUndefined();
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
