import { readdirSync } from 'node:fs';
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { activateLanguage, addTexts, languages } from './catalog.ts';
import { en } from './messages/en/index.ts';

test('[R7] only English is active', () => {
  expect(Object.keys(languages)).toEqual(['en']);
});

test('[R7] every message of the catalogue compiles and is found by its id', () => {
  addTexts('en', en);
  activateLanguage('en');
  const values = new Proxy({}, { get: () => 1, has: () => true });
  for (const [id, message] of Object.entries(en)) {
    const shown = i18n._(id, values);
    expect(shown, id).not.toBe('');
    if (!/[{<]/.test(message)) expect(shown, id).toBe(message);
  }
});

test('[R7] a message has one text: no two files of the catalogue have the same id', async () => {
  const folder = new URL('messages/en/', import.meta.url);
  const ids: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name !== 'index.ts')) {
    const texts = (await import(new URL(file, folder).href)) as Readonly<Record<string, object>>;
    ids.push(...Object.values(texts).flatMap((each) => Object.keys(each)));
  }
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.length).toBeGreaterThanOrEqual(Object.keys(en).length);
});
