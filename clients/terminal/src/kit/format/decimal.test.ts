import { describe, expect, test } from 'vitest';
import { addDecimals, compareDecimals, divideDecimals, multiplyDecimals, subtractDecimals, sumDecimals } from './decimal.ts';
import { fiatPrecision, formatFiat } from './fiat.ts';

describe('[C4] exact arithmetic', () => {
  test('C4 decimal-safe arithmetic: 0.1 + 0.2 is 0.3, and 0.3 − 0.1 is 0.2', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(subtractDecimals('0.3', '0.1')).toBe('0.2');
    expect(multiplyDecimals('0.1', '0.2')).toBe('0.02');
    expect(sumDecimals(['0.1', '0.2', '0.7'])).toBe('1');
    expect(compareDecimals('0.30000000000000001', '0.3')).toBe(1);
  });

  test('[C4] a division rounds down, and by zero it throws', () => {
    expect(divideDecimals({ dividend: '2', divisor: '3', decimals: 4 })).toBe('0.6666');
    expect(() => divideDecimals({ dividend: '1', divisor: '0', decimals: 4 })).toThrow('Division by zero');
  });

  test('sums of 18-decimal amounts stay exact and without an exponent', () => {
    expect(addDecimals('123456789012345678901234.000000000000000001', '0.000000000000000001')).toBe(
      '123456789012345678901234.000000000000000002',
    );
    expect(subtractDecimals('0.000000000000000002', '0.000000000000000001')).toBe('0.000000000000000001');
  });
});

describe('[C4] fiat', () => {
  test.each([
    ['0', 2],
    ['1234', 2],
    ['0.01', 2],
    ['0.0099', 4],
    ['0.0001', 4],
    ['0.000099', 6],
    ['0.000001', 6],
    ['0.00000099', 8],
    ['-0.005', 4],
  ] as const)('C4 fiat precision: %s has %i decimals', (value, decimals) => {
    expect(fiatPrecision(value)).toBe(decimals);
  });

  test('C4 currencies usd, cny: the sign stands before the symbol', () => {
    expect(formatFiat('1234.567', { format: '1,234.56', currency: 'usd', perUsd: '1' })).toBe('$1,234.56');
    expect(formatFiat('-0.00519', { format: '1.234,56', currency: 'cny', perUsd: '7.1' })).toBe('\u2212¥0,03');
    // An amount of one currency is never shown under the sign of another.
    expect(formatFiat('1', { format: '1,234.56', currency: 'cny', perUsd: undefined })).toBe('—');
  });
});
