import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAtoms, parseDecimal, parseLots, parseTicks, printAtoms, printDecimal, printTicks } from './decimal.ts';
import { atoms, ticks } from './amounts.ts';

describe('decimal text', () => {
  test.each([
    ['0', 6, 0n],
    ['1', 6, 1_000_000n],
    ['0.000001', 6, 1n],
    ['10.50', 6, 10_500_000n],
    ['104689.00', 1, 1_046_890n],
    ['0.0010', 3, 1n],
    ['0.1000000', 6, 100_000n],
    ['7.0', 0, 7n],
    ['0.50', 1, 5n],
    [`1.${'0'.repeat(37)}`, 6, 1_000_000n],
    ['123456789012345678.123456789012345678', 18, 123456789012345678123456789012345678n],
    ['7', 0, 7n],
  ])('%s at %i decimals is %s', (text, decimals, value) => {
    expect(parseDecimal(text, decimals)).toBe(value);
  });

  test.each([
    ['more decimals than the unit has', '0.1234567', 6],
    ['a digit behind zeros that the unit has not', '0.10000001', 6],
    ['a fraction of what has none', '7.5', 0],
    ['a zero before a number', '01', 6],
    ['zeros before a fraction', '00.5', 6],
    ['two zeros', '00', 6],
    ['an exponent', '1e3', 6],
    ['a plus sign', '+1', 6],
    ['a minus sign', '-1', 6],
    ['a bare point', '1.', 6],
    ['nothing before the point', '.5', 6],
    ['white space', ' 1', 6],
    ['a separator', '1,000', 6],
    ['other digits', '١', 6],
    ['hexadecimal', '0x10', 6],
    ['nothing', '', 6],
    ['a word', 'NaN', 6],
    ['39 digits', '1'.repeat(39), 6],
    ['39 digits, though most are zeros', `1.${'0'.repeat(38)}`, 6],
  ])('%s is refused, never rounded', (_what, text, decimals) => {
    expect(parseDecimal(text, decimals)).toBeUndefined();
  });

  test('what is printed is read back as the same amount', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 36n });
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        expect(parseAtoms(printAtoms(atoms(value), decimals), decimals)).toBe(value);
      }),
    );
  });

  test('an amount is the same however many zeros are written after it, and is refused with one before it', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const zeros = fc.nat({ max: 9 }).map((count) => '0'.repeat(count));
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 12 }), zeros, (value, decimals, after) => {
        const plain = printDecimal(value, decimals);
        const text = (plain.includes('.') ? plain : `${plain}.0`) + after;
        expect(parseDecimal(text, decimals)).toBe(value);
        expect(parseTicks(text, decimals)).toBe(Number(value));
        expect([parseDecimal(`0${text}`, decimals), parseTicks(`0${text}`, decimals)]).toEqual([undefined, undefined]);
      }),
    );
  });

  test('printing is canonical: no trailing zero, no bare point, one zero before the point', () => {
    expect(['1500000', '1000000', '1', '0'].map((text) => printDecimal(BigInt(text), 6))).toEqual(['1.5', '1', '0.000001', '0']);
    expect(printDecimal(-1_500_000n, 6)).toBe('-1.5');
  });

  test('a price or size beyond the safe integers is refused', () => {
    expect(parseTicks('9007199254740991', 0)).toBe(Number.MAX_SAFE_INTEGER);
    expect(parseTicks('9007199254740992', 0)).toBeUndefined();
    expect(parseLots('90071992547409.92', 2)).toBeUndefined();
    expect(printTicks(ticks(1_077_218), 1)).toBe('107721.8');
  });

  test('a price or size is the amount of the same text, where that is a safe integer, and refused where that is', () => {
    const near = fc.stringMatching(/^[0-9.]{0,20}0{0,25}$/);
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }))
      .map(([value, at]) => printDecimal(value, at));
    const edge = fc.bigInt({ min: -3n, max: 3n }).map((off) => (BigInt(Number.MAX_SAFE_INTEGER) + off).toString());
    const long = fc.stringMatching(/^[0-9]{15,41}$/);
    fc.assert(
      fc.property(fc.oneof(near, decimal, edge, long, fc.string()), fc.integer({ min: 0, max: 12 }), (text, precision) => {
        const amount = parseDecimal(text, precision);
        const expected = amount === undefined || amount > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(amount);
        expect(parseLots(text, precision)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});
