import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { membersWritten, repeatedKeyOf } from './repeated-key.ts';
import { jsonOf } from './request-text.ts';

const reasonOf = (text: string): unknown => {
  try {
    jsonOf(text, 8);
    return undefined;
  } catch (error) {
    return Reflect.get(error as object, 'data');
  }
};

describe('a name given twice', () => {
  test.each([
    ['{"price":"1","price":"2"}', 'price'],
    ['{"a":{"price":1},"b":[{"x":1},{"y":{"z":1,"z":1}}]}', 'z'],
    ['{"pri\\u0063e":1,"price":2}', 'price'],
    ['{ "a" :\n1, "a"\t: 1 }', 'a'],
    ['{"a\\"":1,"a\\"":1}', 'a field'],
  ])('is refused by its name: %s', (text, field) => {
    expect(reasonOf(text)).toEqual({ reason: 'RepeatedField', field });
  });

  test.each(['{"a":{"a":{"a":1}},"b":{"a":1}}', '{"a":"b:c","c":"\\":\\\\"}', '[{"a":1},{"a":1}]', '":"', '{}', '1'])(
    'is not seen in %s',
    (text) => {
      expect(reasonOf(text)).toBeUndefined();
    },
  );

  test('members are counted as the parser finds them, and none of its own writing is repeated', () => {
    const members = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, item) => sum + members(item) + (Array.isArray(value) ? 0 : 1), 0)
        : 0;
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(membersWritten(text)).toBe(members(value));
        expect(repeatedKeyOf(text)).toBe('');
      }),
    );
  });
});
