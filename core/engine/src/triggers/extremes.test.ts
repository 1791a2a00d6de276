import { expect, test } from 'vitest';
import { orderId, ticks } from '@orrery/units';
import { Extremes } from './extremes.ts';

test('orders that come and go beside one that waits leave nothing behind that grows', () => {
  const extremes = new Extremes('sell');
  extremes.join(orderId(1), ticks(1_000_000));
  let most = 0;
  for (let id = 2; id < 2_000; id += 1) {
    extremes.join(orderId(id), ticks(1_000_000 - id * 100));
    extremes.leave(orderId(id));
    most = Math.max(most, extremes.size);
  }
  expect(most).toBeLessThan(40);
  expect(extremes.of(orderId(1))).toBe(1_000_000);
  expect(extremes.follow(ticks(1_000_001))).toBe(true);
  expect([extremes.size, extremes.of(orderId(1))]).toEqual([1, 1_000_001]);
});
