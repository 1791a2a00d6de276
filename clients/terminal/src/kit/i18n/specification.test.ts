import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { en } from './messages/en/index.ts';

interface Listed {
  /** The piece of the platform that brings it, where it is not built yet. */
  readonly waitsFor?: string;
}

interface Specification {
  readonly storageKeys: readonly (Listed & { readonly name: string; readonly key: string })[];
  readonly texts: readonly (Listed & { readonly text: string })[];
}

const src = fileURLToPath(new URL('../..', import.meta.url));
const { storageKeys, texts }: Specification = JSON.parse(readFileSync(join(src, '../specification.json'), 'utf8'));

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(src, path), 'utf8'));
/** A value is remembered under the first text of these calls. */
const remembered = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/(?:\bname: |\b(?:choice|flag|text|record|remember)\(\s*)'([A-Za-z]+)'/g)].map(([, name = '']) => name),
  ),
);
const words = Object.values(en).map((text) => text.replaceAll("''", "'"));
const isShown = (text: string): boolean => words.some((shown) => shown.includes(text));

test('[L15] every storage key of the specification is in use, but for those that wait for a part of the platform', () => {
  expect(storageKeys).toHaveLength(19);
  expect(storageKeys.filter(({ key, waitsFor }) => waitsFor === undefined && !remembered.has(key))).toEqual([]);
  // Once its part is built a key waits no longer: then the list must say so.
  expect(storageKeys.filter(({ key, waitsFor }) => waitsFor !== undefined && remembered.has(key))).toEqual([]);
});

test('every text of the specification is in the catalogue, word by word, but for those that wait for a part of the platform', () => {
  expect(texts.filter(({ text, waitsFor }) => waitsFor === undefined && !isShown(text))).toEqual([]);
  expect(texts.filter(({ text, waitsFor }) => waitsFor !== undefined && isShown(text))).toEqual([]);
});
