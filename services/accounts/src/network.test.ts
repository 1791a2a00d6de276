import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2ff:3::1', '2001:db8:1:200::/56'],
  ['2001:DB8:1:2ab::', '2001:db8:1:200::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['64:ff9b::192.0.2.77', '64:ff9b:0:0::/56'],
])('the network of %s is %s', (ip, network) => expect(networkOf(ip)).toBe(network));

test.each(['', 'somewhere', '192.0.2', '1.2.3.4.5'])('there is none of %s', (text) => expect(networkOf(text)).toBeUndefined());
