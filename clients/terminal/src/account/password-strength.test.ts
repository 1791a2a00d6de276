import { expect, test } from 'vitest';
import { strengthOf } from './password-strength.ts';

test.each([
  ['', 'short'],
  ['Abc12!x', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefgh', 'weak'],
  ['abcdefg1', 'fair'],
  ['correct horse battery', 'good'],
])('[A1] "%s" is %s', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
