import { expect, test } from 'vitest';
import { arrangementOf, columnsInView, parseArrangement, PRESETS, swapped, toggledPanel, withWidth } from './arrangement.ts';

const classic = arrangementOf('classic', 'wide');

test('each preset is read back as it was written, at every width', () => {
  for (const layout of ['vast', 'grand', 'wide', 'medium', 'narrow'] as const) {
    for (const preset of PRESETS) {
      const arrangement = arrangementOf(preset, layout);
      expect(parseArrangement(JSON.parse(JSON.stringify(arrangement)))).toEqual(arrangement);
    }
  }
});

test('a wider window shows more columns, a narrow one leaves the ticket to its drawer', () => {
  const shown = (layout: 'vast' | 'grand' | 'wide' | 'narrow') =>
    (['before', 'after'] as const).map((side) => columnsInView(arrangementOf('classic', layout), side, layout));
  expect(shown('vast')).toEqual([['markets'], ['book', 'trades', 'ticket']]);
  expect(shown('grand')).toEqual([[], ['book', 'trades', 'ticket']]);
  expect(shown('wide')).toEqual([[], ['book', 'ticket']]);
  expect(shown('narrow')).toEqual([[], ['book']]);
});

test('a panel is hidden and shown, and moves to the other side of the chart and back', () => {
  const hidden = toggledPanel(classic, 'book');
  expect(columnsInView(hidden, 'after', 'wide')).toEqual(['ticket']);
  expect(toggledPanel(hidden, 'book')).toEqual(classic);
  const moved = swapped(classic, 'book');
  expect([moved.before, moved.after]).toEqual([
    ['markets', 'book'],
    ['trades', 'ticket'],
  ]);
  expect(swapped(moved, 'book')).toEqual(classic);
});

test('no width leaves its bounds', () => {
  expect(withWidth(classic, 'book', 5).widths.book).toBe(220);
  expect(withWidth(classic, 'book', 9_000).widths.book).toBe(520);
  expect(withWidth(classic, 'book', 300.6).widths.book).toBe(301);
});

test.each([
  ['an unknown preset', { ...classic, preset: 'spiral' }],
  ['a column on both sides', { ...classic, before: ['book'] }],
  ['a column that is missing', { ...classic, after: ['ticket'] }],
  ['a width out of bounds', { ...classic, widths: { ...classic.widths, book: 4_000 } }],
  ['a height that is no number', { ...classic, tables: '236' }],
  ['nothing', null],
])('[L15] %s is no arrangement', (_what, json) => {
  expect(parseArrangement(json)).toBeUndefined();
});
