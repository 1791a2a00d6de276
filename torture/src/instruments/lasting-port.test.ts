import { expect, test } from 'vitest';
import { lastingPort, outside } from './lasting-port.ts';

test.each([
  ['32768\t60999\n', { from: 10_000, to: 32_768 }],
  ['10500 50000', { from: 50_001, to: 65_536 }],
  ['1024 65535', { from: 10_000, to: 11_000 }],
])('outside the ports %j of the system', (range, ports) => {
  expect(outside(range)).toEqual(ports);
});

test('no port is given twice', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, lastingPort));
  expect(new Set(ports).size).toBe(50);
});
