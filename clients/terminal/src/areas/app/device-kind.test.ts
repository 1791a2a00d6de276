import { expect, test } from 'vitest';
import { isIos, isOwnMachine } from './device-kind.ts';

test('an iPad is known though it calls itself a Macintosh', () => {
  expect(isIos({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', touchPoints: 5 })).toBe(true);
  expect(isIos({ userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', touchPoints: 5 })).toBe(true);
  expect(isIos({ userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', touchPoints: 0 })).toBe(false);
  expect(isIos({ userAgent: 'Mozilla/5.0 (Linux; Android 15)', touchPoints: 5 })).toBe(false);
});

test('no other device gets to a loopback address', () => {
  expect(['localhost', 'app.localhost', '127.0.0.1', '127.1.2.3', '[::1]'].every(isOwnMachine)).toBe(true);
  expect(['192.168.1.4', 'exchange.example', 'localhost.example', '1127.0.0.1'].some(isOwnMachine)).toBe(false);
});
