import { expect, test } from 'vitest';
import { closedFigures } from './closed-figures.ts';

test.each([
  // payoff    leverage  size     entry     profit   fees    funding  net        percent
  ['linear', 10, '0.5', '60000', '300', '33', '-7', '260', '8.66'],
  ['linear', 1, '0.5', '60000', '-300', '33', '7', '-326', '-1.08'],
  // A rebate is a fee below zero.
  ['linear', 50, '1', '100', '0', '-0.02', '0', '0.02', '1.00'],
  // 60,000 dollars at 60,000 are one coin.
  ['inverse', 20, '60000', '60000', '0.01', '0.001', '0.0005', '0.0095', '19.00'],
  ['linear', 10, '0.5', '0', '3', '1', '0', '2', undefined],
] as const)(
  'a %s position at %s× of %s from %s with profit %s, fees %s and funding %s earned %s, %s %%',
  (payoff, leverage, maxSize, entryPrice, realizedProfit, cumTradingFee, cumFunding, net, percent) => {
    expect(closedFigures({ leverage, maxSize, entryPrice, realizedProfit, cumTradingFee, cumFunding }, payoff)).toEqual({ net, percent });
  },
);
