import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { figureParts } from './figure-parts.ts';
import { formatDecimal, numberFormats, UNKNOWN } from './number-format.ts';

test.each([
  ['1500', 2, '1,500', '.00'],
  ['0.5', 4, '0.5', '000'],
  ['1200.25', 2, '1,200.25', ''],
  ['100', 0, '100', ''],
  ['0', 2, '0', '.00'],
] as const)('%s with %i decimals: %s says something, %j keeps the column in line', (value, decimals, digits, zeros) => {
  expect(figureParts(value, { format: '1,234.56', decimals })).toEqual({ digits, zeros });
});

test('what is not known has no zeros', () => {
  expect(figureParts(undefined, { format: '1.234,56', decimals: 2 })).toEqual({ digits: UNKNOWN, zeros: '' });
});

test('the two parts are the whole number in every format', () => {
  const value = fc.tuple(fc.nat(), fc.nat({ max: 999_999 })).map(([whole, fraction]) => `${whole}.${fraction}`);
  fc.assert(
    fc.property(value, fc.constantFrom(...numberFormats), fc.integer({ min: 0, max: 8 }), (text, format, decimals) => {
      const { digits, zeros } = figureParts(text, { format, decimals });
      expect(digits + zeros).toBe(formatDecimal(text, { format, decimals }));
      expect(zeros).toMatch(/^[.,]?0*$/);
      expect(digits).not.toMatch(/[.,]$/);
    }),
  );
});
