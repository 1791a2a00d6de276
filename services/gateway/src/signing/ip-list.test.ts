import { expect, test } from 'vitest';
import { IpList } from './ip-list.ts';

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.77/24', '192.0.2.1', true],
  ['192.0.2.0/24', '::ffff:192.0.2.9', true],
  ['::ffff:192.0.2.0/120', '192.0.2.9', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::1', '2001:0db8:0::0001', true],
  ['2001:db8::/32', '192.0.2.1', false],
  ['0.0.0.0/1', '2001:db8::1', false],
  ['192.0.2.1', 'unknown', false],
  ['127.0.0.1', '0x7f.1', false],
])('the list %s and the address %s: %s', (entry, ip, isIncluded) => {
  expect(new IpList([entry]).includes(ip)).toBe(isIncluded);
});

test('each entry of a list counts', () => {
  const list = new IpList(['192.0.2.1', '198.51.100.0/24', '2001:db8::/48']);
  expect(['192.0.2.1', '198.51.100.7', '2001:db8:0:1::5', '192.0.2.3'].map((ip) => list.includes(ip))).toEqual([true, true, true, false]);
});
