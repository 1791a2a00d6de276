import { expect, test } from 'vitest';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { barText } from './bar-text.ts';

const shown = (value: number, decimals: number): string => formatDecimal(barText(value), { format: '1,234.56', decimals });

test.each([
  [0.29, 2, '0.29'],
  [60_540.1, 1, '60,540.1'],
  [60_540, 1, '60,540.0'],
  [1.999, 2, '1.99'],
  [12_345.678_9, 2, '12,345.67'],
  [0.000_000_15, 7, '0.0000001'],
  [0, 2, '0.00'],
])('chart words round down: %d at %i decimals is %s', (value, decimals, words) => {
  expect(shown(value, decimals)).toBe(words);
});
