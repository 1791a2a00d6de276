import { describe, expect, test } from 'vitest';
import { HistoryClock } from './history-clock.ts';

const START = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

/** A clock that a test sets: what passes, passes on both; `shift` moves the wall clock alone. */
class Clocks {
  wall = START;
  monotonic = 5.25;
  readonly lines: string[] = [];
  readonly history = new HistoryClock({ wallMs: () => Math.floor(this.wall), monotonicMs: () => this.monotonic }, (line) =>
    this.lines.push(line),
  );

  pass(ms: number, speed = 1): void {
    this.monotonic += ms;
    this.wall += ms * speed;
  }

  shift(ms: number): void {
    this.wall += ms;
  }
}

test('is the wall clock while that is plausible, also corrected by seconds', () => {
  const clocks = new Clocks();
  for (const shift of [0, 1_000, -2_500, 30_000, 0]) {
    clocks.pass(10_000.5);
    clocks.shift(shift);
    expect(clocks.history.nowMs()).toBe(Math.floor(clocks.wall));
  }
  expect([clocks.history.aheadMs(), clocks.lines]).toEqual([0, []]);
});

test('a jump far ahead is refused and logged once; time goes on with the monotonic clock, and by the wall clock when that is right again', () => {
  const clocks = new Clocks();
  clocks.history.nowMs();
  clocks.shift(100 * 24 * HOUR_MS);
  for (let passed = 0; passed < 5; passed += 1) {
    clocks.pass(1_000);
    expect(clocks.history.nowMs() - START).toBe((passed + 1) * 1_000);
  }
  expect(clocks.history.aheadMs()).toBe(100 * 24 * HOUR_MS);
  clocks.shift(-100 * 24 * HOUR_MS);
  clocks.pass(1_000);
  expect([clocks.history.nowMs(), clocks.history.aheadMs()]).toEqual([START + 6_000, 0]);
  expect(clocks.lines).toEqual([
    'the wall clock is 8640000 s ahead, 60 s are plausible: history goes by the monotonic clock. Correct the wall clock; if it is right, restart the exchange',
    'the wall clock is plausible again: history goes by it',
  ]);
});

test('a clock that was set back may be corrected', () => {
  const clocks = new Clocks();
  clocks.history.nowMs();
  clocks.shift(-HOUR_MS);
  clocks.pass(1_000);
  expect(clocks.history.nowMs()).toBe(clocks.wall);
  clocks.shift(HOUR_MS);
  clocks.pass(1_000);
  expect([clocks.history.nowMs(), clocks.history.aheadMs()]).toEqual([clocks.wall, 0]);
});

describe('many small steps are no way around the bound', () => {
  test.each([
    ['a clock that runs ten times too fast', 10],
    ['one that runs a tenth too fast', 1.1],
  ])('%s', (_what, speed) => {
    const clocks = new Clocks();
    clocks.history.nowMs();
    let last = START;
    for (let second = 1; second <= 3_600; second += 1) {
      clocks.pass(1_000, speed);
      last = clocks.history.nowMs();
    }
    const ahead = last - (START + HOUR_MS);
    expect(ahead).toBeGreaterThan(50_000);
    expect(ahead).toBeLessThanOrEqual(60_000 + HOUR_MS * 0.01 + 10_000);
    expect(clocks.history.aheadMs()).toBeGreaterThan(0);
  });

  test('a slow drift is followed without a bound', () => {
    const clocks = new Clocks();
    for (let hour = 0; hour < 10_000; hour += 1) {
      clocks.pass(HOUR_MS, 1.000_5);
      expect(clocks.history.nowMs()).toBe(Math.floor(clocks.wall));
    }
  });
});
