import { expect, test } from 'vitest';
import { isTrustworthy } from './trustworthy.ts';

test.each([
  ['https://orrery.example', true],
  ['http://orrery.example', false],
  ['http://localhost:8080', true],
  ['http://console.localhost:8080', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080', true],
  ['http://127.0.0.1.example', false],
  ['http://notlocalhost', false],
])('%s is trusted with secure cookies: %s', (origin, trusted) => {
  expect(isTrustworthy(origin)).toBe(trusted);
});
