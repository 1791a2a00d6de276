import { expect, test } from 'vitest';
import { neighbourhoodOf, networkOf } from './network.ts';

test.each([
  ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
  ['::ffff:c000:24d', '192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2ff:3::1', '2001:db8:1:2ff::/64', '2001:db8:1:200::/56'],
  ['2001:DB8:1:2ab::', '2001:db8:1:2ab::/64', '2001:db8:1:200::/56'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/64', '0:0:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/56'],
  ['64:ff9b::192.0.2.77', '64:ff9b:0:0::/64', '64:ff9b:0:0::/56'],
])('%s is of the network %s, in the neighbourhood %s', (ip, network, neighbourhood) => {
  expect(networkOf(ip)).toBe(network);
  expect(neighbourhoodOf(ip)).toBe(neighbourhood);
});

test('a thousand addresses of one /64 are one network', () => {
  const networks = new Set(Array.from({ length: 1_000 }, (_, index) => networkOf(`2001:db8:0:7:${index.toString(16)}::${index}`)));
  expect([...networks]).toEqual(['2001:db8:0:7::/64']);
});

test.each(['', 'somewhere', 'unknown', '192.0.2', '1.2.3.4.5', '0x7f.1', '192.0.2.1:80'])('%s is no address', (text) => {
  expect(networkOf(text)).toBe('unknown');
  expect(neighbourhoodOf(text)).toBeUndefined();
});
