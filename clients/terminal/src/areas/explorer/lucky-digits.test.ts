import { expect, test } from 'vitest';
import { luckyDigits } from './lucky-digits.ts';

const hash = (digits: string): string => `0x${digits}${'c'.repeat(60)}`;

test.each([
  ['7777', 'lucky'],
  ['0000', 'lucky'],
  ['7778', 'unequal'],
  ['aaaa', 'letter'],
  ['777f', 'letter'],
] as const)('[T10] a hash that begins with %s is %s', (digits, verdict) => {
  expect(luckyDigits(hash(digits))).toEqual({ digits, rest: 'c'.repeat(60), verdict });
});
