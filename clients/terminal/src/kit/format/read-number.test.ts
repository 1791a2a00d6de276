import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal, numberFormats } from './number-format.ts';
import type { NumberFormat } from './number-format.ts';
import { fieldText, readNumber, shortestDecimal } from './read-number.ts';
import type { NumberReading } from './read-number.ts';

const typed = (text: string, format: NumberFormat): NumberReading => readNumber(text, { format, entered: 'typed' });
const pasted = (text: string, format: NumberFormat): NumberReading => readNumber(text, { format, entered: 'pasted' });

const number = (value: string): NumberReading => ({ kind: 'number', value });
const unsure = (...values: readonly string[]): NumberReading => ({ kind: 'unsure', values });

const anyFormat = fc.constantFrom(...numberFormats);
const anyValue = fc
  .tuple(
    fc.bigInt(0n, 10n ** 15n - 1n),
    fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), maxLength: 18 }),
  )
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));

describe('[C4] numbers as people write them are read back', () => {
  test.each([
    ['60,540', '1,234.56', '60540'],
    ['1,500', '1,234.56', '1500'],
    ['1,500', '1.234,56', '1.5'],
    ['1.500', '1.234,56', '1500'],
    ['1,500', '1234,56', '1.5'],
    ['1 500,25', '1 234,56', '1500.25'],
    ['1\u00a0500', '1 234,56', '1500'],
    ["1'500.25", '1,234.56', '1500.25'],
    ['1,234,567.8', '1,234.56', '1234567.8'],
    ['.5', '1,234.56', '0.5'],
    [',5', '1.234,56', '0.5'],
    ['60.', '1,234.56', '60'],
    ['007.50', '1,234.56', '7.5'],
    ['\uff11\uff0c\uff15\uff10\uff10\uff0e\uff12', '1,234.56', '1500.2'],
    ['\uff11\uff15\uff0c\uff15', '1234,56', '15.5'],
  ] as const)('[C4] typed %j in the format %s is %s', (text, format, value) => {
    expect(typed(text, format)).toEqual(number(value));
  });

  test.each([
    ['1,5', '1,234.56', '1.5'],
    ['0,500', '1,234.56', '0.5'],
    ['1.234,56', '1,234.56', '1234.56'],
    ['1,234.56', '1.234,56', '1234.56'],
    ['0.5', '1234,56', '0.5'],
  ] as const)('[C4] %j is not written as %s: it may mean %s and does not count yet', (text, format, value) => {
    expect(typed(text, format)).toEqual(unsure(value));
    expect(pasted(text, format)).toEqual(unsure(value));
  });

  test('[C4] pasted text that could be two numbers is asked about, the chosen format first; typed it is of the chosen format', () => {
    expect(pasted('1,500', '1,234.56')).toEqual(unsure('1500', '1.5'));
    expect(pasted('1,500', '1.234,56')).toEqual(unsure('1.5', '1500'));
    expect(typed('1.500', '1234,56')).toEqual(unsure('1.5', '1500'));
    expect(pasted('1,500.5', '1,234.56')).toEqual(number('1500.5'));
    expect(pasted('60540.25', '1,234.56')).toEqual(number('60540.25'));
    expect(pasted('0.125', '1,234.56')).toEqual(number('0.125'));
  });

  test.each(['-1', '+1', '1e5', '1.2.3', '1,2,3', '12,34,567', 'abc', '٣', '0x10', '1 5', '10\t200', '$5', '1'.repeat(16)])(
    '[C4] %j is no number in any format',
    (text) => {
      for (const format of numberFormats) expect(typed(text, format)).toEqual({ kind: 'refused' });
    },
  );

  test('[C4] nothing is nothing', () => {
    for (const format of numberFormats) expect(typed('  ', format)).toEqual({ kind: 'empty' });
  });

  test('[C4] what is shown in a format and typed in the same format is the same value', () => {
    fc.assert(
      fc.property(anyValue, anyFormat, (value, format) => {
        expect(typed(formatDecimal(value, { format }), format)).toEqual(number(shortestDecimal(value)));
        expect(typed(fieldText(value, format), format)).toEqual(number(shortestDecimal(value)));
      }),
    );
  });

  test('[C4] what is shown in a format and pasted in the same format is the same value, or the first that is offered', () => {
    fc.assert(
      fc.property(anyValue, anyFormat, (value, format) => {
        const reading = pasted(formatDecimal(value, { format }), format);
        const first = reading.kind === 'unsure' ? reading.values[0] : reading.kind === 'number' ? reading.value : undefined;
        expect(first).toBe(shortestDecimal(value));
      }),
    );
  });

  test('[C4] what is shown in one format and entered in another never counts as another number', () => {
    fc.assert(
      fc.property(anyValue, anyFormat, anyFormat, (value, shownIn, format) => {
        const reading = pasted(formatDecimal(value, { format: shownIn }), format);
        const values = reading.kind === 'unsure' ? reading.values : reading.kind === 'number' ? [reading.value] : [];
        expect(values).toContain(shortestDecimal(value));
      }),
    );
  });
});
