import { expect, test } from 'vitest';
import { strengthOf } from './password-strength.ts';

test.each([
  ['', 'short'],
  ['Abc12!x', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefgh', 'weak'],
  ['P@ssw0rd1', 'weak'],
  ['qwertyuiop12', 'weak'],
  ['tarn-ripple', 'fair'],
  ['correct horse battery', 'good'],
  ['x7#kQ9vT2mLp', 'good'],
])('[A1] "%s" is %s', async (password, strength) => {
  expect(await strengthOf(password)).toBe(strength);
});
