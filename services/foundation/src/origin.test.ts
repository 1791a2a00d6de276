import { expect, test } from 'vitest';
import { atPort, isLoopback, isTrustworthy } from './origin.ts';

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

test.each(['localhost', 'a.localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])('%s is this machine', (hostname) => {
  expect(isLoopback(hostname)).toBe(true);
});

test.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '[::1].example', ''])('%s may be another', (hostname) => {
  expect(isLoopback(hostname)).toBe(false);
});

test('port 0 of an origin is the port that is taken, and every other port stays', () => {
  expect(atPort('http://localhost:0', 8080)).toBe('http://localhost:8080');
  expect(atPort('http://localhost:8000', 8080)).toBe('http://localhost:8000');
  expect(atPort('https://orrery.example', 8080)).toBe('https://orrery.example');
});
