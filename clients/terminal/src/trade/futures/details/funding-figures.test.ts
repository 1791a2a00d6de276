import { expect, test } from 'vitest';
import { fundingFigures, yearlyPercent } from './funding-figures.ts';

const settled = (...rates: readonly string[]) => rates.map((fundingRate, at) => ({ createdTime: at, fundingRate }));

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
