import { assert, constantFrom, integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { isZero } from './frame.ts';

/** Around the lengths at which the way of looking changes. */
const LENGTHS = [0, 1, 31, 32, 33, 65_535, 65_536, 65_537, 200_000];

test('a byte that is not zero is found wherever it stands, and none where there is none', () => {
  const place = nat({ max: 199_999 });
  assert(
    property(constantFrom(...LENGTHS), place, place, integer({ min: 1, max: 255 }), (length, start, at, value) => {
      const bytes = new Uint8Array(200_000);
      const end = Math.min(start + length, bytes.length);
      expect(isZero(bytes, start, end)).toBe(true);
      bytes[at] = value;
      expect(isZero(bytes, start, end)).toBe(at < start || at >= end);
    }),
    { numRuns: 300 },
  );
});

test('what ends before the range does is not zero to its end', () => {
  for (const length of [8, 100_000]) expect(isZero(new Uint8Array(length), 0, length + 1)).toBe(false);
});
