import { expect, test } from 'vitest';
import { depthAt, depthCurve } from './depth-curve.ts';
import { priceAt } from './draw-depth.ts';

test('[S4] the depth is cumulative and cut to the same distance on both sides', () => {
  const curve = depthCurve([100, 1, 90, 2, 50, 9], [110, 3, 120, 4]);
  expect(curve).toMatchObject({ middle: 105, from: 90, to: 120, highest: 7 });
  expect(curve?.bids).toEqual([
    { price: 100, total: 1 },
    { price: 90, total: 3 },
  ]);
  expect(curve?.asks).toEqual([
    { price: 110, total: 3 },
    { price: 120, total: 7 },
  ]);
});

test('[S4] the reach that is put into words is rounded down to a tick', () => {
  expect(depthCurve([100, 1, 90, 2], [103, 3, 120, 4])).toMatchObject({ middle: 101.5, from: 90, reach: 11 });
});

test('one side alone makes no picture', () => {
  expect(depthCurve([100, 1], [])).toBeUndefined();
});

test('what stands between the middle and a price is shown for its side', () => {
  const curve = depthCurve([100, 1, 90, 2], [110, 3, 120, 4]);
  expect(curve && depthAt(curve, 95)).toEqual({ side: 'buy', point: { price: 100, total: 1 } });
  expect(curve && depthAt(curve, 119)).toEqual({ side: 'sell', point: { price: 110, total: 3 } });
  expect(curve && depthAt(curve, 104)).toEqual({ side: 'buy', point: undefined });
});

test('a place on the canvas is a whole tick within the picture', () => {
  const curve = depthCurve([100, 1, 90, 2], [110, 3, 120, 4]);
  expect(curve && priceAt(curve, 300, 150)).toBe(105);
  expect(curve && priceAt(curve, 300, -20)).toBe(90);
  expect(curve && priceAt(curve, 300, 900)).toBe(120);
});
