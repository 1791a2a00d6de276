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
