import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../step.ts';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/** Where a package at `from` finds the dependency: its own `node_modules`, or that of a folder above. */
function isLocked(lock: Lock, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in lock) return true;
    if (folder === '') return false;
  }
}

/** Builds for WebAssembly stand in on platforms that have no build of their own; they bring packages along and are never chosen here. */
const isStandIn = (name: string): boolean => name.includes('wasm32');

const missingOptionals = (lock: Lock): readonly string[] =>
  Object.entries(lock)
    .flatMap(([from, { optionalDependencies = {} }]) => Object.keys(optionalDependencies).filter((name) => !isLocked(lock, from, name)))
    .filter((name) => !isStandIn(name));

// `npm install` leaves out what is not for this machine when its registry does not have it; `npm ci` then refuses the whole file everywhere.
test('the lockfile has every optional dependency, also those of other platforms', () => {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as { packages: Lock };
  expect(missingOptionals(packages)).toEqual([]);
});

test('a planted gap in a lockfile is found', () => {
  expect(
    missingOptionals({ '': {}, 'node_modules/a': { optionalDependencies: { b: '1.0.0', c: '1.0.0' } }, 'node_modules/b': {} }),
  ).toEqual(['c']);
});
