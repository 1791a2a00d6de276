import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bytesBelow, DiskTrend } from './disk-trend.ts';

const HOUR_MS = 3_600_000;

test('what is used is known at once, and what it grows by a day after an hour', () => {
  const trend = new DiskTrend();
  expect(trend.used()).toBeNull();
  trend.add({ at: 5, bytes: 1_000 });
  trend.add({ at: 5 + HOUR_MS - 1, bytes: 3_000 });
  expect(trend.used()).toEqual({ usedBytes: 3_000, bytesPerDay: null });
  trend.add({ at: 5 + 2 * HOUR_MS, bytes: 4_000 });
  expect(trend.used()).toEqual({ usedBytes: 4_000, bytesPerDay: 36_000 });
});

test('what was more than seven days ago counts no more', () => {
  const trend = new DiskTrend();
  trend.add({ at: 0, bytes: 0 });
  for (let day = 1; day <= 8; day += 1) trend.add({ at: 24 * day * HOUR_MS, bytes: 1_000_000 + 10 * day });
  expect(trend.used()).toEqual({ usedBytes: 1_000_080, bytesPerDay: 10 });
});

test('all files below a folder are counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'one', 'two'), { recursive: true });
  writeFileSync(join(folder, 'a'), 'x'.repeat(7));
  writeFileSync(join(folder, 'one', 'two', 'b'), 'x'.repeat(5));
  expect(await bytesBelow(folder)).toBe(12);
  expect(await bytesBelow(join(folder, 'nothing'))).toBe(0);
});
