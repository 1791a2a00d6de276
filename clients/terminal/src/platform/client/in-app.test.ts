import { expect, test } from 'vitest';
import { readInApp } from './in-app.ts';

function visit() {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}

test('[R4] from=app marks the in-app browser, and is remembered for the visit', () => {
  const inApp = visit();
  expect(readInApp('?from=app', inApp)).toBe(true);
  expect(readInApp('', inApp)).toBe(true);
});

test.each(['', '?from=web', '?from=', '?app=from'])('[R4] "%s" does not', (search) => {
  expect(readInApp(search, visit())).toBe(false);
});
