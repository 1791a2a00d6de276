import { expect, test } from 'vitest';
import { isIpList } from './ip-range.ts';

const halves = (address: (half: number) => string, count: number): string[] => Array.from({ length: count }, (_, nth) => address(nth));

test.each([
  ['nothing', []],
  ['an address', ['192.0.2.1']],
  ['a /16', ['10.1.0.0/16']],
  ['a /16 in two halves', ['10.1.0.0/17', '10.1.128.0/17']],
  ['a /16 in 256 parts', halves((nth) => `10.1.${nth}.0/24`, 256)],
  ['a range within another, and the same one twice', ['10.1.0.0/16', '10.1.2.0/24', '10.1.0.0/16', '10.1.77.5']],
  ['a /48 of IPv6', ['2001:db8:1::/48']],
  ['a /48 in halves', ['2001:db8:1::/49', '2001:db8:1:8000::/49']],
  ['both kinds', ['10.1.0.0/16', '2001:db8:1::/48']],
  ['IPv4 written as IPv6', ['::ffff:10.1.0.0/112']],
])('%s is a list', (_what, list) => {
  expect(isIpList(list)).toBe(true);
});

test.each([
  ['everything', ['0.0.0.0/0']],
  ['everything in two halves', ['0.0.0.0/1', '128.0.0.0/1']],
  ['everything in 256 parts', halves((nth) => `${nth}.0.0.0/8`, 256)],
  ['half of everything', ['0.0.0.0/1']],
  ['a /15', ['10.0.0.0/15']],
  ['a /16 and an address beside it', ['10.1.0.0/16', '10.2.0.1']],
  ['a /16 in two kinds of writing and an address', ['10.1.0.0/17', '::ffff:10.1.128.0/113', '192.0.2.1']],
  ['all of IPv4 written as IPv6', ['::ffff:0.0.0.0/96']],
  ['all of IPv6', ['::/0']],
  ['all of IPv6 in two halves', ['::/1', '8000::/1']],
  ['a /47', ['2001:db8::/47']],
  ['a /48 and an address beside it', ['2001:db8:1::/48', '2001:db8:2::1']],
  ['an address that is none', ['10.1.1.256']],
  ['a prefix that is none', ['10.0.0.0/33']],
  ['an interface', ['fe80::1%eth0']],
])('%s is none', (_what, list) => {
  expect(isIpList(list)).toBe(false);
});
