import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal, numberFormats, UNKNOWN } from './number-format.ts';

describe('[C4] numbers as people write them', () => {
  test.each([
    ['1,234.56', '1,234.56'],
    ['1.234,56', '1.234,56'],
    ['1234,56', '1234,56'],
    ['1 234,56', '1\u00a0234,56'],
  ] as const)('C4 number formats: 1234.56 in %s is written %s', (format, shown) => {
    expect(formatDecimal('1234.56', { format })).toBe(shown);
  });

  test('C4 display rounds down: 0.999 with two decimals is 0.99, and −0.999 is −0.99', () => {
    expect(formatDecimal('0.999', { format: '1,234.56', decimals: 2 })).toBe('0.99');
    expect(formatDecimal('-0.999', { format: '1,234.56', decimals: 2 })).toBe('\u22120.99');
  });

  test.each([
    ['1.656', 2, '1.66'],
    ['1.655', 2, '1.66'],
    ['1.6549999', 2, '1.65'],
    ['-1.655', 2, '\u22121.66'],
    ['0.004', 2, '0.00'],
    ['-0.004', 2, '0.00'],
    ['0.005', 2, '0.01'],
    ['999.995', 2, '1,000.00'],
    ['9.5', 0, '10'],
    ['00.5', 0, '1'],
    ['1.2', 4, '1.2000'],
    ['9007199254740993.125', 2, '9,007,199,254,740,993.13'],
  ])('what is paid is rounded to the nearest, a half away from zero: %s with %i decimals is %s', (value, decimals, shown) => {
    expect(formatDecimal(value, { format: '1,234.56', decimals, rounding: 'nearest' })).toBe(shown);
  });

  test('a number that a float can not hold is written exactly', () => {
    expect(formatDecimal('9007199254740993.129', { format: '1,234.56', decimals: 2 })).toBe('9,007,199,254,740,993.12');
  });

  test('missing decimals are filled with zeros, so that a column lines up', () => {
    expect(formatDecimal('5', { format: '1.234,56', decimals: 4 })).toBe('5,0000');
  });

  test('a sign is written where it was asked for, and never before zero', () => {
    expect(formatDecimal('1.5', { format: '1,234.56', sign: 'always' })).toBe('+1.5');
    expect(formatDecimal('0.00', { format: '1,234.56', sign: 'always' })).toBe('0.00');
    expect(formatDecimal('-0.004', { format: '1,234.56', decimals: 2 })).toBe('0.00');
  });

  test('what is not known is a dash, never a zero', () => {
    expect(formatDecimal(undefined, { format: '1,234.56' })).toBe(UNKNOWN);
    expect(formatDecimal('NaN', { format: '1,234.56' })).toBe(UNKNOWN);
  });

  test('[C4] in every format a shown number is never above the true one', () => {
    const decimalText = fc.tuple(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 18 }));
    fc.assert(
      fc.property(decimalText, fc.constantFrom(...numberFormats), fc.integer({ min: 0, max: 8 }), ([digits, scale], format, decimals) => {
        const padded = digits.toString().padStart(scale + 1, '0');
        const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
        const shown = formatDecimal(text, { format, decimals });
        const plain = shown.replaceAll(/[^\d]/g, '');
        // Both in units of 10^-decimals; what is shown is the true number cut off.
        const true18 = digits * 10n ** BigInt(18 - scale);
        expect(BigInt(plain)).toBe(true18 / 10n ** BigInt(18 - decimals));
      }),
    );
  });
});
