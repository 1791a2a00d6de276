import { expect, test } from 'vitest';
import { ORDERS_KEPT, orderTook, percentile, timed, useOrderLatency } from './order-latency.ts';

test('p50 and p95 are spans that were measured, by the nearest rank', () => {
  const spans = Array.from({ length: 20 }, (_, at) => (at + 1) * 10);
  expect([percentile(spans, 0.5), percentile(spans, 0.95)]).toEqual([100, 190]);
  expect(percentile([7], 0.95)).toBe(7);
  expect(percentile([], 0.5)).toBeUndefined();
});

test('the newest twenty answers count, and no call that failed', async () => {
  for (let at = 0; at < ORDERS_KEPT + 5; at += 1) orderTook(at);
  expect(useOrderLatency.getState().spans[0]).toBe(5);
  expect(useOrderLatency.getState().spans).toHaveLength(ORDERS_KEPT);
  await expect(timed(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(useOrderLatency.getState().spans.at(-1)).toBe(ORDERS_KEPT + 4);
  expect(await timed(() => Promise.resolve('taken'))).toBe('taken');
  expect(useOrderLatency.getState().spans.at(-1)).toBeGreaterThan(0);
});
