import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import type { Route } from './route.ts';
import { gapsBetween } from './testing/authorisation.ts';
import { parseUpdates, readUpdates } from './testing/updates.ts';

/** What changes something is no GET. */
const CHANGES = Object.entries<Route>(contract).flatMap(([name, { method }]) => (method === 'GET' ? [] : [name]));
/** A call of such a name changes what is there. */
const OF_WHAT_IS_THERE =
  /^(update|set|change|rename|adjust|edit|replace|bind|add|remove|delete|revoke|decide|end|stop|approve|reject|block|unblock|keep|cancel(?!All|Orders))/;

const rows = readUpdates();
const byCall = new Map(rows.map((row) => [row.call, row]));

test('[A3] every call that changes something says what two of it at the same moment may do', () => {
  expect(gapsBetween(CHANGES, byCall)).toEqual([]);
  expect(byCall.size).toBe(rows.length);
});

test('a call by whose name something changes that is there has its two calls at once', () => {
  const untested = rows.filter(({ call, file }) => OF_WHAT_IS_THERE.test(call) && file === '-').map(({ call }) => call);
  expect(untested).toEqual([]);
});

test('the tests that the rows name are there, and make the calls', () => {
  const missing = rows.filter(({ call, file }) => {
    const path = new URL(`../../${file}`, import.meta.url);
    return file !== '-' && !(existsSync(path) && readFileSync(path, 'utf8').includes(call));
  });
  expect(missing).toEqual([]);
});

test('a planted call without a row is found, and so are a row of no kind and one that names no test', () => {
  expect(gapsBetween([...CHANGES, 'planted'], byCall)).toEqual(['planted has no row']);
  expect(() => parseUpdates('planted mostly -')).toThrow('planted is of no kind');
  expect(() => parseUpdates('planted fields -')).toThrow('planted names no test');
});
