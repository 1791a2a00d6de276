import { expect, test } from 'vitest';
import { matching } from './combobox-match.ts';

const countries = [
  { value: 'ci', label: "Côte d'Ivoire", detail: '+225' },
  { value: 'gb', label: 'United Kingdom', detail: '+44' },
  { value: 'us', label: 'United States', detail: '+1' },
  { value: 'kn', label: 'Saint Kitts and Nevis', detail: '+1' },
] as const;

const found = (typed: string): readonly string[] => matching(countries, typed).map(({ value }) => value);

test('every typed word is the beginning of a word of the choice, whatever the accents and the case', () => {
  expect(found('cote')).toEqual(['ci']);
  expect(found('ivo')).toEqual(['ci']);
  expect(found('UNITED st')).toEqual(['us']);
  expect(found('st uni')).toEqual(['us']);
  expect(found('+44')).toEqual(['gb']);
  expect(found('ited')).toEqual([]);
});

test('what begins with the typed word comes first, and nothing typed leaves all in their order', () => {
  expect(found('k')).toEqual(['gb', 'kn']);
  expect(found('s')).toEqual(['kn', 'us']);
  expect(found('  ')).toEqual(['ci', 'gb', 'us', 'kn']);
});
