import { expect, test } from 'vitest';
import { markedPollMsOf, pollMsOf } from './pace.ts';

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
});
