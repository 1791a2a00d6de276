import { expect, test } from 'vitest';
import { pseudoText } from './test-texts.ts';

test('a pseudo text has no plain letter, is a third longer and keeps the tags of rich text', () => {
  expect(pseudoText('Accept <0>terms</0>')).toBe('⟦Áççéþţ <0>ţéřɱš</0> ···· ····⟧');
  expect(pseudoText('The quick brown fox jumps over the lazy dog, THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG')).not.toMatch(/[a-zA-Z]/);
});
