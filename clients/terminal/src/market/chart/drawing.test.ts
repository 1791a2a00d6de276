import { expect, test } from 'vitest';
import { DRAWINGS_MAX, parseDrawings, withDrawing } from './drawing.ts';
import type { Drawing } from './drawing.ts';

const line = (id: string, price = 100): Drawing => ({ id, tool: 'horizontal', points: [{ time: 1_000, price }], text: '' });

test('a drawing is read back as it was written', () => {
  const drawings: readonly Drawing[] = [
    line('a'),
    { id: 'b', tool: 'channel', points: [1, 2, 3].map((time) => ({ time, price: time })), text: '' },
    { id: 'c', tool: 'text', points: [{ time: 5, price: 0.5 }], text: 'breakout' },
  ];
  expect(parseDrawings(JSON.parse(JSON.stringify(drawings)))).toEqual(drawings);
});

test.each([
  ['an unknown tool', { ...line('a'), tool: 'spiral' }],
  ['a point too few', { ...line('a'), tool: 'trend' }],
  ['a price that is no number', { ...line('a'), points: [{ time: 1, price: 'x' }] }],
  ['a text that is too long', { ...line('a'), text: 'x'.repeat(81) }],
  ['nothing at all', null],
])('%s is left out', (_what, json) => {
  expect(parseDrawings([json, line('kept')])).toEqual([line('kept')]);
});

test('what is no list holds no drawing', () => {
  expect(parseDrawings({ 0: line('a') })).toEqual([]);
});

test('a moved drawing replaces itself; of more than fifty the oldest gives way', () => {
  expect(withDrawing([line('a'), line('b')], line('a', 7))).toEqual([line('a', 7), line('b')]);
  const many = Array.from({ length: DRAWINGS_MAX }, (_, at) => line(String(at)));
  const more = withDrawing(many, line('newest'));
  expect([more.length, more[0]?.id, more.at(-1)?.id]).toEqual([DRAWINGS_MAX, '1', 'newest']);
});
