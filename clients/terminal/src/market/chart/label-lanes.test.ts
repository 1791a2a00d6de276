import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { besideLast, LABEL_HEIGHT, placeLabels } from './label-lanes.ts';

test('labels of lines that lie apart stand at the left edge', () => {
  expect(
    placeLabels(
      [
        { y: 10, label: 'Buy 1' },
        { y: 100, label: 'Buy 2' },
      ],
      500,
    ),
  ).toEqual([
    { x: 8, isFirst: true },
    { x: 8, isFirst: true },
  ]);
});

test('labels of lines that lie together stand side by side, and the first has the axis', () => {
  const [first, second] = placeLabels(
    [
      { y: 10, label: 'Buy 1' },
      { y: 14, label: 'Buy 2' },
    ],
    500,
  );
  expect(first).toEqual({ x: 8, isFirst: true });
  expect(second).toEqual({ x: 54, isFirst: false });
});

test('where there is no room a label is left out', () => {
  expect(
    placeLabels(
      [
        { y: 10, label: 'Buy 1' },
        { y: 10, label: 'Buy 2' },
      ],
      80,
    )[1],
  ).toEqual({ x: undefined, isFirst: false });
});

test('no two labels that are shown ever touch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ y: fc.integer({ min: 0, max: 400 }), label: fc.string({ maxLength: 20 }) }), { maxLength: 60 }),
      (lines) => {
        const placed = placeLabels(lines, 600);
        const boxes = placed.flatMap(({ x }, index) => {
          const line = lines[index];
          return x === undefined || line === undefined ? [] : [{ x, end: x + line.label.length * 6 + 12, y: line.y }];
        });
        for (const [index, box] of boxes.entries()) {
          for (const other of boxes.slice(0, index)) {
            const isApart = Math.abs(box.y - other.y) >= LABEL_HEIGHT || box.x >= other.end || other.x >= box.end;
            expect(isApart).toBe(true);
          }
        }
      },
    ),
  );
});

test('the label of a line never covers the last price on the axis, and stays on its side of it', () => {
  expect(besideLast(100, 200)).toBe(100);
  expect(besideLast(195, 200)).toBe(200 - LABEL_HEIGHT);
  expect(besideLast(200, 200)).toBe(200 + LABEL_HEIGHT);
  fc.assert(
    fc.property(fc.nat(900), fc.nat(900), (y, last) => {
      const at = besideLast(y, last);
      expect(Math.abs(at - last)).toBeGreaterThanOrEqual(LABEL_HEIGHT);
      expect(Math.sign(at - last)).toBe(y < last ? -1 : 1);
    }),
  );
});
