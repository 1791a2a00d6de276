import { array, assert, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { grow, type Span, Spans } from './spans.ts';

test('a timestamp is in a span from its first to its last millisecond', () => {
  const spans = new Spans();
  spans.add({ from: 100, to: 200 }, 0);
  spans.add({ from: 500, to: 600 }, 0);
  expect([99, 100, 200, 201, 499, 500, 600, 601].filter((at) => spans.has(at))).toEqual([100, 200, 500, 600]);
});

test('what was added is in a span, however many there are, and what is later than all is in none', () => {
  const span = tuple(integer({ min: 0, max: 100_000 }), integer({ min: 0, max: 300 })).map(([from, length]) => ({
    from,
    to: from + length,
  }));
  assert(
    property(array(span, { minLength: 1, maxLength: 300 }), integer({ min: 0, max: 50 }), (added, gap) => {
      const spans = new Spans();
      for (const one of added) spans.add(one, gap);
      for (const { from, to } of added) for (const at of [from, to, Math.floor((from + to) / 2)]) expect(spans.has(at)).toBe(true);
      expect(spans.has(Math.max(...added.map(({ to }) => to)) + 1)).toBe(false);
    }),
  );
});

test('few spans refuse nothing between them', () => {
  const spans = new Spans();
  for (let nth = 0; nth < 60; nth += 1) spans.add({ from: nth * 100, to: nth * 100 + 10 }, 5);
  for (let nth = 0; nth < 60; nth += 1) expect(spans.has(nth * 100 + 50)).toBe(false);
});

test('timestamps of two clocks that take turns are in two spans', () => {
  const spans: Span[] = [];
  for (let at = 0; at < 1_000; at += 1) grow(spans, at + (at % 2) * 3_600_000, 5);
  expect(spans).toEqual([
    { from: 0, to: 998 },
    { from: 3_600_001, to: 3_600_999 },
  ]);
});
