import { expect, test } from 'vitest';
import { NO_CHOICES, parseChoices, pressed } from './table-memory.ts';

test('the columns and the order that were chosen are read back; what is no such choice is not', () => {
  const chosen = { hidden: ['fee'], sort: { column: 'time', direction: 'descending' } } as const;
  expect(parseChoices(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen);
  expect(parseChoices(JSON.parse(JSON.stringify(NO_CHOICES)))).toEqual(NO_CHOICES);
  expect(parseChoices({ hidden: [], sort: { column: 'time', direction: 'sideways' } })).toEqual(NO_CHOICES);
  for (const json of [null, 7, {}, { hidden: 'fee' }, { hidden: [7] }]) expect(parseChoices(json)).toBeUndefined();
});

test('a heading sorts up, then down, then not at all', () => {
  const up = pressed(undefined, 'price');
  const down = pressed(up, 'price');
  expect([up?.direction, down?.direction, pressed(down, 'price')]).toEqual(['ascending', 'descending', undefined]);
  expect(pressed(down, 'size')).toEqual({ column: 'size', direction: 'ascending' });
});
