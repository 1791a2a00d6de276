import { createHmac } from 'node:crypto';
import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { hmacSha256 } from './hmac.ts';

const expected = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

test('the HMAC of any secret and text is that of the platform', () => {
  const anyText = string({ unit: 'binary', maxLength: 300 }).filter((text) => text.isWellFormed());
  assert(
    property(anyText, anyText, (secret, text) => {
      expect(hmacSha256(secret, text).toString('hex')).toBe(expected(secret, text));
    }),
  );
});

test.each([
  ['a secret as long as a block', 'k'.repeat(64), 'text'],
  ['a secret longer than a block', 'k'.repeat(65), 'text'],
  ['a text longer than the scratch buffer', 'key', 'x'.repeat(70_000)],
  ['a text that fills the scratch buffer', 'key', 'x'.repeat(8_192 - 64)],
  ['nothing', '', ''],
])('the HMAC of %s is that of the platform', (_, secret, text) => {
  expect(hmacSha256(secret, text).toString('hex')).toBe(expected(secret, text));
});
