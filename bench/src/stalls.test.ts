import { expect, test } from 'vitest';
import { BANKRUPT, Crowd } from './engine/crowd.ts';
import { KINDS } from './stalls.ts';

test.each(KINDS)('%s can be measured', (_what, pass) => {
  const times = pass(100);
  expect(times.length).toBeGreaterThan(0);
});

test('the crowd without a fund is deleveraged: all shorts pay, and only they', () => {
  const events = new Crowd({ positions: 100, near: 1, insured: false }).price(BANKRUPT).flatMap((answer) => answer.events);
  const payers = events.filter((event) => event.type === 'PositionDeleveraged').map(({ account }) => account);
  expect(new Set(payers).size).toBe(50);
});
