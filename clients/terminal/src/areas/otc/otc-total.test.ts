import { expect, test } from 'vitest';
import { amountOf, totalOf } from './otc-total.ts';

const USDC = { price: '7.12', decimals: 6 } as const;

test.each([
  // side, amount, price, total
  ['BUY', '10', '7.12', '71.2'],
  ['BUY', '0.001', '7.1201', '0.01'],
  ['SELL', '0.001', '7.1201', '0'],
  ['BUY', '1.000001', '7.12', '7.13'],
  ['SELL', '1.000001', '7.12', '7.12'],
] as const)('to %s %s at %s costs %s: the cent that is left over is the one of the taker', (side, amount, price, total) => {
  expect(totalOf(amount, { price, side, decimals: 6 })).toBe(total);
});

test.each([
  ['BUY', '500', '70.224719'],
  ['SELL', '500', '70.22472'],
  ['BUY', '71.2', '10'],
  ['SELL', '71.2', '10'],
] as const)('to %s for %s in all is %s of the coin, rounded against the taker', (side, total, amount) => {
  expect(amountOf(total, { ...USDC, side })).toBe(amount);
});

test('what is no number has no total and no amount', () => {
  expect(totalOf('', { ...USDC, side: 'BUY' })).toBeUndefined();
  expect(amountOf('12.345', { ...USDC, side: 'BUY' })).toBeUndefined();
  expect(amountOf('12', { price: '0', side: 'BUY', decimals: 6 })).toBeUndefined();
});
