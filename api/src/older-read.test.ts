import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import type { Route } from './route.ts';

const SERVED: ReadonlySet<string> = new Set(
  Object.values<Route>(contract).flatMap(({ method, path, aliases }) => [path, ...(aliases ?? [])].map((each) => `${method} ${each}`)),
);

const CALLS = readFileSync(new URL('testing/older-paths.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('[F1] the calls of older clients are listed, each once', () => {
  expect(CALLS.length).toBeGreaterThan(70);
  expect(new Set(CALLS).size).toBe(CALLS.length);
});

test.each(CALLS)('[F1] %s is served', (call) => {
  expect(SERVED).toContain(call);
});
