import { expect, test } from 'vitest';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { feeText } from './fee-text.ts';

const format: Parameters<typeof feeText>[2] = { number: (text, style) => formatDecimal(text, { ...style, format: '1.234,56' }) };

test.each([
  // fee             coin    shown
  ['1234.56789', 'USDC', '1.234,57'],
  ['1.656', 'USDC', '1,66'],
  ['1.655', 'USDC', '1,66'],
  ['1.6549', 'USDC', '1,65'],
  ['9.995', 'USDC', '10,00'],
  ['-1.655', 'USDC', '\u22121,66'],
  ['0.01', 'USDC', '0,01'],
  ['0.00999999', 'USDC', '< 0,01'],
  ['0.000000001', 'BTC', '< 0,00000001'],
  ['0.00000012', 'BTC', '0,00000012'],
  ['0', 'BTC', '0,00000000'],
  ['-0.25', 'USDC', '\u22120,25'],
  ['-0.0025', 'USDC', '> \u22120,01'],
  [undefined, 'USDC', '\u2014'],
])('a fee of %s %s is shown as %s', (fee, coin, shown) => {
  expect(feeText(fee, coin, format)).toBe(shown);
});
