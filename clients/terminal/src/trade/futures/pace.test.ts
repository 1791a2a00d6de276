import { expect, test } from 'vitest';
import { markedPollMsOf, pollMsOf, positionsPollMsOf, Readings } from './pace.ts';

const FLAT = { maintenanceMargin: '0', isolatedMargin: '0' };

test.each([
  // what is known of the stream     flat   crossed isolated unpriced
  [{ isReady: true, phase: 'live' }, 15_000, 5_000, 5_000, 5_000],
  [{ isReady: false, phase: 'live' }, 2_000, 2_000, 2_000, 2_000],
  [{ isReady: true, phase: 'reconnecting' }, 2_000, 2_000, 2_000, 2_000],
  [{ isReady: true, phase: undefined }, 2_000, 2_000, 2_000, 2_000],
] as const)('with %o an account is read again as often as its stream leaves it unknown', (following, flat, crossed, isolated, unpriced) => {
  expect(pollMsOf(following)).toBe(flat);
  expect(markedPollMsOf(following, [FLAT])).toBe(flat);
  expect(markedPollMsOf(following, [FLAT, { ...FLAT, maintenanceMargin: '1.5' }])).toBe(crossed);
  expect(markedPollMsOf(following, [{ ...FLAT, isolatedMargin: '10' }])).toBe(isolated);
  expect(markedPollMsOf(following, [{ ...FLAT, maintenanceMargin: null }])).toBe(unpriced);
  expect([[], [FLAT], undefined].map((positions) => positionsPollMsOf(following, positions))).toEqual([flat, crossed, crossed]);
});

/** When a name is read that becomes old every `everyMs`, until `endMs`. */
function readAt({ everyMs, endMs }: { readonly everyMs: number; readonly endMs: number }): readonly number[] {
  const readings = new Readings();
  const read: number[] = [];
  let waitingUntil: number | undefined;
  for (let now = 0; now <= endMs; now += 10) {
    if (waitingUntil !== undefined && now >= waitingUntil) {
      readings.begin('positions');
      read.push(now);
      waitingUntil = undefined;
    }
    if (now % everyMs !== 0) continue;
    const ms = readings.due('positions', now);
    if (ms !== undefined) waitingUntil = now + ms;
  }
  return read;
}

test('what changes once is read at once, and what changes all the time three times, then every two seconds', () => {
  expect(readAt({ everyMs: 10_000, endMs: 9_990 })).toEqual([100]);
  expect(readAt({ everyMs: 1_000, endMs: 2_500 })).toEqual([100, 1_100, 2_100]);
  expect(readAt({ everyMs: 10, endMs: 9_000 })).toEqual([100, 200, 300, 2_100, 4_100, 6_100, 8_100]);
  // After a pause it is as it was at first.
  expect(readAt({ everyMs: 6_000, endMs: 13_000 })).toEqual([100, 6_100, 12_100]);
});

test('one name does not wait for another, and what waits is not read twice', () => {
  const readings = new Readings();
  expect([readings.due('positions', 0), readings.due('positions', 50), readings.due('twaps', 50)]).toEqual([100, undefined, 100]);
  readings.begin('positions');
  expect(readings.due('positions', 100)).toBe(100);
});
